"""Judges in native code, and what they learn from: positions of games whose ends are known."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from interpreter.play import policy
from interpreter.play.buffer import Buffer
from interpreter.play.guided import WHOLE, leads
from interpreter.play.judging import FINE
from interpreter.play.native import build
from interpreter.play.native.emit import learning
from interpreter.play.native.learn import Learner, Weights

_MOST = 32_767  # steps of a weight that is shipped
_STEPS_OF_GAME = 1 << 13  # what moves a judgement by less is left out


class NativeJudge:
    """Weights as they are shipped, for native code."""

    def __init__(self, words: Sequence[int], weights: bytes) -> None:
        self.weights = ctypes.create_string_buffer(weights, len(weights))
        self.words = array("q", words)
        self.words[policy.WEIGHTS] = ctypes.addressof(self.weights)
        self.address = self.words.buffer_info()[0]
        self.function: int = build.build_learning().get_function_address("judge")
        self._judge = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(self.function)

    def worth(self, m: Buffer, leads: Sequence[int]) -> list[int]:
        """As `judging.LinearJudge.worth`."""
        state, ahead, out = array("q", m), array("q", leads), array("q", leads)
        self._judge(self.address, *(each.buffer_info()[0] for each in (state, ahead, out)))
        return list(out)


class Positions:
    """What seats saw in games of one program, and what those games brought them."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        code = build.build_learning()
        word, pointer = ctypes.c_int64, ctypes.c_void_p
        self._see = ctypes.CFUNCTYPE(None, pointer, pointer, word, word, pointer)(
            code.get_function_address("see")
        )
        self._teach = ctypes.CFUNCTYPE(word, pointer, word)(
            code.get_function_address("teach_judge")
        )
        standing = ctypes.CFUNCTYPE(word, pointer, pointer, pointer)
        self._standing = standing(learner.engine.address("scores_now"))
        self.seen: list[array[int]] = []
        self.brought: list[float] = []
        self.numbers = 0  # in all that was seen
        self._room = array("q", bytes(8 * (policy.MOST_CONTEXTS + 1)))

    def __len__(self) -> int:
        return len(self.seen)

    def look(self, states: array[int], number: int) -> list[tuple[int, array[int]]]:
        """What each seat sees of one of many states that lie one after the other."""
        engine, room = self.learner.engine, self._room
        scores = array("q", bytes(8 * engine.program.players))
        state = states.buffer_info()[0] + 8 * engine.size * number
        self._standing(state, engine.context.address, scores.buffer_info()[0])
        found = []
        for seat, lead in enumerate(leads(engine.program, list(scores))):
            place = room.buffer_info()[0]
            self._see(self.learner.words.buffer_info()[0], state, seat, lead, place)
            found.append((seat, room[: room[0] + 1]))
        return found

    def add(self, seen: array[int], brought: float) -> None:
        self.seen.append(seen)
        self.numbers += len(seen)
        self.brought.append(brought)

    def teach(
        self, weights: Weights, order: Sequence[int], step: float, *, changing: bool = True
    ) -> float:
        """Go through positions in an order; the mean square of how far judgements were off."""
        if not order:
            return 0.0
        learner, job = self.learner, self.learner.job
        lessons = array("q")
        ends = array("q")
        ends.frombytes(array("d", [self.brought[number] for number in order]).tobytes())
        for number, end in zip(order, ends, strict=True):
            lessons.append(self.seen[number].buffer_info()[0])
            lessons.append(end)
        job[learning.LESSONS] = lessons.buffer_info()[0]
        job[learning.GAMES] = len(order)
        job[learning.WEIGHTS] = weights.address
        learner.set_real(learning.STEP, step)
        learner.set_real(learning.OWN_SHARE, 0.0)
        self._teach(job.buffer_info()[0], int(changing))
        return learner.get_real(learning.OWN_SHARE) / len(order)


def settled(weights: Weights) -> tuple[bytes, int]:
    """Weights of a judge as they are shipped: two bytes each, and what a step is worth
    (`policy.SCALE`). What hardly counts is left out."""
    learned = weights.cells[: 2 << weights.bits : 2]
    unit = max(1e-9, max(map(abs, learned)) / _MOST)
    least = 1 / _STEPS_OF_GAME
    found = array("h", (round(each / unit) if abs(each) >= least else 0 for each in learned))
    return found.tobytes(), max(1, round(unit * (WHOLE << FINE)))
