"""Pieces that are moved, shown, hidden and shuffled: what somebody knows of them afterwards."""

from __future__ import annotations

from interpreter.model.ruleset import Place
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.following import Following
from interpreter.typed.knowledge.labels import (
    KNOWN,
    OPEN,
    Known,
    Label,
    Seat,
    Source,
    gained,
    join,
    plain,
    same_piece,
)  # fmt: skip
from interpreter.typed.seats import bare


class Showing(Following):
    def move(self, each: s.Move, env: Environment) -> None:
        known = self.reader.known(each.what, env)
        is_piece = self.is_piece(each.what.type)
        if is_piece:
            self._part(each, known, env)
        if self.trying:
            self._tried_move(each.target, join(known.value, known.face))
            return
        name = _name_of(each)
        is_kept = is_piece and name in env.names
        if is_kept and name is not None and isinstance(each.target, v.PlaceAt):
            env.names[name] = self._arrived(known, each.target, env)
        self.add_to(each.target, env)

    def _part(self, each: s.Move, known: Known, env: Environment) -> None:
        """A piece goes elsewhere. Who cannot tell which one it is, cannot tell where those lie that
        it could be."""
        gone = known
        if isinstance(each.target, v.PlaceAt) and not self.trying:
            gone = self._arrived(known, each.target, env)
        kind, itself = each.what.type.name, _name_of(each)
        for name, other in env.names.items():
            if name is itself or name.type.sort != "kind" or name.type.name != kind:
                continue
            same = self.reader.lasting(plain(same_piece(gone, other))).value
            at, marks = join(other.at, same), join(other.marks, same)
            env.names[name] = Known(other.value, at, marks, other.face, other.inner)

    def _arrived(self, known: Known, target: v.PlaceAt, env: Environment) -> Known:
        """Whoever sees into the place sees what has come there."""
        place = target.place
        owned = bool(place.dimensions) and place.dimensions[0].type.sort == "player"
        face = known.face
        if place.seen == "all":
            face = OPEN
        elif place.seen == "owner" and owned:
            seat = self.reader.stable(self.reader.seat(target.indexes[0], env))
            face = face if seat is None else gained(face, seat)
        inner = known.inner if self.rules.ruleset.kinds[place.kind].hidden else face
        marks = known.marks if place.seen == "nobody" else face
        return Known(known.value, known.value, marks, face, inner)

    def add_to(self, target: v.PlaceAt | s.Box, env: Environment) -> None:
        """All see where a piece has come to; but it need not have been revealed."""
        if isinstance(target, v.PlaceAt):
            env.added_to((target.place.name,))
            if target.place.dimensions and target.place.dimensions[0].type.sort == "player":
                self.seen(target.indexes[0], env)

    def _tried_move(self, target: v.PlaceAt | s.Box, label: Label) -> None:
        if isinstance(target, v.PlaceAt):
            name = target.place.name
            self.facts.tried[name] = join(self.facts.tried.get(name, OPEN), label)

    def move_all(self, each: s.MoveAll, env: Environment) -> None:
        if self.trying and each.source.place.word != "pool":
            known = self.reader.element(each.source, env, each.mark)
            self._tried_move(each.target, known.face)
        self.add_to(each.target, env)

    def reveal(self, each: s.Reveal, env: Environment) -> None:
        if self.trying:
            return
        if each.to is None:
            env.revealed |= places_of(self.rules, each)
        seat: Seat | None = None
        if each.to is not None:
            seat = self.reader.stable(self.reader.seat(each.to, env))
            if seat is None:
                return
        what = bare(each.what)
        if isinstance(what, v.LocalValue):
            self.shown(what.local, seat, env)
        elif isinstance(what, v.PlaceAt):
            self._shown_place(what, seat, env)
        elif isinstance(what, v.Content):
            self._shown_place(what.place, seat, env)

    def shown(self, local: v.Local, seat: Seat | None, env: Environment) -> None:
        known = env.names.get(local)
        if known is not None:
            env.names[local] = Known(
                known.value, known.at, known.marks, gained(known.face, seat),
                gained(known.inner, seat),
            )  # fmt: skip

    def _shown_place(self, at: v.PlaceAt, seat: Seat | None, env: Environment) -> None:
        place = at.place
        owned = bool(place.dimensions) and place.dimensions[0].type.sort == "player"
        owner = self.reader.seat(at.indexes[0], env) if owned else None
        if owned and self.reader.stable(owner) is None:
            return
        if len(place.dimensions) > (1 if owned else 0):
            return
        face = self.reader.element(at, env, at.mark).face
        env.shown[(place.name, owner)] = self.reader.lasting(plain(gained(face, seat))).value

    def hide(self, each: s.Hide, env: Environment) -> None:
        what = bare(each.what)
        env.shown.clear()
        if isinstance(what, v.LocalValue) and self.is_piece(what.type):
            known = env.names.get(what.local, KNOWN)
            lost = Label(frozenset(), (Source("pieces", what.local.name, each.mark),))
            env.names[what.local] = Known(known.value, known.at, known.marks, lost, lost)

    def say(self, each: s.Say, env: Environment, why: Label) -> None:
        if self.trying:
            return
        hearer = None if each.to is None else self.reader.seat(each.to, env)
        why = why if each.to is None else join(why, self.reader.label(each.to, env))
        self.reader.hearer = None if hearer is None else self.hears(hearer)
        if not self._is_known(hearer, why):
            self.teller.whether_said(why, each.mark, private=hearer is not None)
        for gap in each.text.gaps:
            label = self.reader.known(gap, env).value
            if not self._is_known(hearer, label):
                self.teller.said(label, gap.mark, private=hearer is not None)
        self.reader.hearer = self.hearer

    def _is_known(self, hearer: Seat | None, label: Label) -> bool:
        """What is said must be known to whoever hears it: to everybody, if nobody is named."""
        if label.is_open or (hearer is not None and label.known_to(hearer)):
            return True
        return self.tests_own(label, self.reader.hearer) or self.tests(label)


def _name_of(each: s.Move) -> v.Local | None:
    """The name by which a piece is moved, if it has one."""
    what = bare(each.what)
    return what.local if isinstance(what, v.LocalValue) else None


def stirred_by(each: s.Statement) -> tuple[str, ...]:
    """The kinds of which a statement may move pieces that somebody cannot tell from others."""
    match each:
        case s.Shuffle(place=at):
            return (at.place.kind,)
        case s.Draw(source=v.PlaceAt(place=place)):
            return (place.kind,) if is_drawn_blindly(place) else ()
        case s.Move(target=v.PlaceAt(place=place)) if place.seen == "all":
            return ()
        case s.Move():
            return (each.what.type.name,)
        case _:  # nothing else moves pieces out of sight
            return ()


def is_drawn_blindly(place: Place) -> bool:
    """Whether nobody can tell which piece is drawn from a place, even who knows all that lie there:
    it has no order, or is shuffled to be filled again."""
    return place.refill is not None or not (place.ordered or place.seen == "all")


def surely_shows(rules: r.Rules, procedure: r.Procedure, param: v.Local) -> bool:
    """Whether a procedure moves a piece that it is given into the open, or reveals it, whatever
    else it does."""
    for each in procedure.body:
        match each:
            case s.Reveal(what=v.LocalValue(local=local), to=None) if local is param:
                return True
            case s.Move(what=v.LocalValue(local=local), target=v.PlaceAt(place=place)):
                if local is param and place.seen == "all":
                    return True
            case _:  # shows nothing, or not surely
                pass
    return False


def places_of(rules: r.Rules, each: s.Reveal) -> frozenset[str]:
    """The places that a piece may lie in which is revealed; by its name it may lie in any."""
    match bare(each.what):
        case v.PlaceAt(place=place) | v.Content(place=v.PlaceAt(place=place)):
            return frozenset((place.name,))
        case piece:
            kind = piece.type.name
            return frozenset(p.name for p in rules.ruleset.places.values() if p.kind == kind)
