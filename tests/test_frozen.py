"""Records: what they share with frozen dataclasses, told by comparing the two."""

from dataclasses import dataclass, field, fields, replace

from interpreter.frozen import frozen


@frozen(kw_only=True)
class Placed:
    place: str = field(default="", compare=False, repr=False)


@frozen
class Point(Placed):
    x: int
    y: int = 0


@frozen
class Other(Placed):
    x: int
    y: int = 0


@frozen
class Empty(Placed):
    pass


@dataclass(frozen=True, slots=True)
class Plain:
    x: int
    y: int = 0


def test_equal_by_what_is_compared() -> None:
    assert Point(1, 2, place="here") == Point(1, 2, place="there")
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != Point(2, 2)
    assert Empty(place="here") == Empty()


def test_other_classes_are_never_equal() -> None:
    assert Point(1, 2) != Other(1, 2)
    assert Point(1, 2) != Plain(1, 2)
    assert Point(1, 2) != (1, 2)


def test_equal_ones_have_the_same_hash() -> None:
    assert len({Point(1, 2, place="here"), Point(1, 2), Point(2, 1)}) == 2
    assert hash(Empty(place="here")) == hash(Empty())


def test_told_like_a_dataclass() -> None:
    assert repr(Point(1, 2, place="here")) == repr(Plain(1, 2)).replace("Plain", "Point")
    assert repr(Empty()) == "Empty()"


def test_still_a_dataclass_with_slots() -> None:
    point = Point(1, place="here")
    assert [each.name for each in fields(point)] == ["place", "x", "y"]
    assert replace(point, y=5) == Point(1, 5)
    assert replace(point, y=5).place == "here"
    assert not hasattr(point, "__dict__")
    match point:
        case Point(x, y):
            assert (x, y) == (1, 0)
