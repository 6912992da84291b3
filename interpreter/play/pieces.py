"""Moving pieces between places, and who knows what they are.

A piece lies in exactly one place. Its place and position are kept with it, its number in the
place's list. From the bottom up a place has pieces lying under its unordered part, the
unordered part, kept sorted so that states nobody can tell apart are equal, and ordered pieces.

Who knows a piece is a bit mask of seats, with the spectators as the last. Above it are the seats
that the piece is shown to where it lies: they see it go, as they would from a place they see into,
whatever else lies there. What a seat only remembers to lie in a closed hand it cannot follow when
one of several leaves that hand.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.play.failure import Failure
from interpreter.program import layout
from interpreter.program.layout import STEPS, KindLayout

EMPTY = -1
UNORDERED, UNDER, CONTENTS = layout.UNORDERED, layout.UNDER, layout.CONTENTS
SHOWN = 16  # how far above those who know a piece those are that it is shown to
SEATS = (1 << SHOWN) - 1
SETTLED = 1 << SHOWN  # of the readers of a note: there will be no more of them


def move(
    m: list[int],
    kind: KindLayout,
    piece: int,
    place: int,
    bottom: bool,
    at: int,
    whole: bool = False,
) -> None:
    """`whole`: it is one of all the pieces of a place, which go together."""
    source = m[kind.where + piece]
    if place and place != source:
        address = kind.instance_address[place]
        if m[address] >= kind.instance_capacity[place]:
            raise Failure("RR605", at)
    handled = _count_in(m, kind, source) + _count_in(m, kind, place) + kind.note_count
    m[STEPS] += handled
    if m[STEPS] > limits.STEPS_PER_MOVE:
        raise Failure("RR608", at)
    if source:
        _remove(m, kind, piece, source)
    if place:
        _insert(m, kind, piece, place, bottom)
    m[kind.where + piece] = place
    if kind.known >= 0:
        _learn(m, kind, piece, source, place, whole)


def _count_in(m: list[int], kind: KindLayout, place: int) -> int:
    return m[kind.instance_address[place]] if place else 0


def _remove(m: list[int], kind: KindLayout, piece: int, place: int) -> None:
    address = kind.instance_address[place]
    count = m[address] - 1
    position = m[kind.position + piece]
    under = m[address + UNDER]
    if position < under:
        m[address + UNDER] -= 1
    elif position < under + m[address + UNORDERED]:
        m[address + UNORDERED] -= 1
        if m[address + UNORDERED] == 0:
            m[address + UNDER] = 0  # nothing unordered is left for it to lie under
    first = address + CONTENTS
    for index in range(position, count):
        other = m[first + index + 1]
        m[first + index] = other
        m[kind.position + other] = index
    m[first + count] = EMPTY
    m[address] = count
    m[kind.position + piece] = 0


def _insert(m: list[int], kind: KindLayout, piece: int, place: int, bottom: bool) -> None:
    address = kind.instance_address[place]
    first = address + CONTENTS
    count = m[address]
    position = count
    if kind.instance_sorted[place]:
        position = 0
        while position < count and m[first + position] < piece:
            position += 1
        m[address + UNORDERED] = count + 1
    elif bottom:
        position = 0
        if m[address + UNORDERED]:
            m[address + UNDER] += 1
    for index in range(count, position, -1):
        other = m[first + index - 1]
        m[first + index] = other
        m[kind.position + other] = index
    m[first + position] = piece
    m[kind.position + piece] = position
    m[address] = count + 1


def _learn(
    m: list[int], kind: KindLayout, piece: int, source: int, place: int, whole: bool
) -> None:
    """Who watches a piece go from a place they see to one they do not still knows it; but
    one piece of several leaving a closed hand unseen could have been any of them."""
    sees_target = kind.instance_viewers[place]
    known = m[kind.known + piece]
    if place != source:
        # Nothing is drawn from the box: what leaves it is taken by its name.
        if kind.instance_sorted[source] and not (whole and has_no_order(kind, place)):
            blind = ~kind.instance_viewers[source] & ~sees_target & ~(known >> SHOWN) & SEATS
            if blind and m[kind.instance_address[source]]:
                _settle_notes(m, kind, source, piece)
            known &= ~_confuse(m, kind, piece, source, blind & kind.everyone)
            if kind.has_copies and not kind.hidden_fields:
                _mistake(m, kind, piece, source, sees_target & ~kind.instance_viewers[source])
        known &= SEATS  # where it lies now it is shown to nobody yet
    m[kind.known + piece] = known if kind.hidden_fields else known | sees_target


def _settle_notes(m: list[int], kind: KindLayout, place: int, piece: int) -> None:
    """Somebody loses track of what lies in a place, and of a piece that has just left it."""
    seen = 0 if kind.hidden_fields else kind.instance_viewers[place]
    for first, readers, number in kind.notes:
        for each in range(number):
            named = m[first + each]
            if named < 0 or m[readers + each]:
                continue
            if named == piece or m[kind.where + named] == place:
                m[readers + each] = SETTLED | m[kind.known + named] & SEATS | seen


def has_no_order(kind: KindLayout, place: int) -> bool:
    """Whether nobody who does not see into a place can tell its pieces apart."""
    return place == 0 or kind.instance_sorted[place]


def _confuse(m: list[int], kind: KindLayout, piece: int, source: int, blind: int) -> int:
    """Who has not seen which piece went forgets all that it could have been. The seats for
    which there is another."""
    confused = 0
    first = kind.instance_address[source] + CONTENTS
    for other in m[first : first + m[first - CONTENTS]] if blind else ():
        if not kind.back or _same_back(kind, other, piece):
            lost = blind & ~(m[kind.known + other] >> SHOWN)
            m[kind.known + other] &= ~lost
            confused |= lost
    return confused


def _mistake(m: list[int], kind: KindLayout, piece: int, source: int, seats: int) -> None:
    """Who sees a piece come from where it could not look takes it for the copy that it knew there,
    if it knew one: nothing tells them apart."""
    seats &= ~m[kind.known + piece]
    first = kind.instance_address[source] + CONTENTS
    for other in m[first : first + m[first - CONTENTS]] if seats else ():
        if kind.row_of[other] == kind.row_of[piece]:
            known = m[kind.known + other]
            taken = seats & known & ~(known >> SHOWN)
            m[kind.known + other] = known & ~taken
            seats &= ~taken


def _same_back(kind: KindLayout, piece: int, other: int) -> bool:
    return kind.back[kind.row_of[piece]] == kind.back[kind.row_of[other]]


def shuffle(m: list[int], kind: KindLayout, place: int) -> None:
    """Forget the order: it does not exist until somebody draws."""
    address = kind.instance_address[place]
    count = m[address]
    # Whoever goes on from here finds the limit.
    m[STEPS] += 2 * (count + kind.note_count)  # each is taken up and put back
    contents = sorted(m[address + CONTENTS : address + CONTENTS + count])
    viewers = 0 if kind.hidden_fields else kind.instance_viewers[place]
    _settle_notes(m, kind, place, EMPTY)
    for index, piece in enumerate(contents):
        m[address + CONTENTS + index] = piece
        m[kind.position + piece] = index
        if kind.known >= 0:
            m[kind.known + piece] &= viewers
    m[address + UNORDERED] = count
    m[address + UNDER] = 0


def who_knows(m: list[int], kind: KindLayout, piece: int) -> int:
    """The seats that can name a piece, as a bit mask."""
    if kind.known < 0:
        return kind.everyone
    seen = 0 if kind.hidden_fields else kind.instance_viewers[m[kind.where + piece]]
    return m[kind.known + piece] & SEATS | seen


def visible_position(m: list[int], kind: KindLayout, piece: int) -> int:
    """Where in its place a piece lies, as far as that can be seen from outside: pieces kept
    by number and pieces shuffled have no position, and -1 is the answer."""
    position = m[kind.position + piece]
    return -1 if position in unseen_positions(m, kind, m[kind.where + piece]) else position


def unseen_positions(m: list[int], kind: KindLayout, place: int) -> range:
    """The positions of a place that nobody sees from outside."""
    if has_no_order(kind, place):
        return range(len(kind.row_of))
    address = kind.instance_address[place]
    return range(m[address + UNDER], m[address + UNDER] + m[address + UNORDERED])


def know(m: list[int], kind: KindLayout, piece: int, seats: int, forget: bool) -> None:
    if kind.known < 0:
        return
    if forget:
        viewers = 0 if kind.hidden_fields else kind.instance_viewers[m[kind.where + piece]]
        m[kind.known + piece] &= viewers
    else:
        m[kind.known + piece] |= seats | seats << SHOWN
