"""Lessons: decisions with a teacher's answer, kept to be gone through again and again."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from interpreter.play.buffer import Buffer
from interpreter.play.native import build
from interpreter.play.native.emit import learning
from interpreter.play.native.learn import Learner, Weights


class Lessons:
    """What a teacher decided in games of one program."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        code = build.build_learning()
        note = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
        teach = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
        self._note = note(code.get_function_address("note"))
        self._teach = teach(code.get_function_address("teach"))
        self.decisions: list[array[int]] = []
        self.answers: list[array[float]] = []

    def __len__(self) -> int:
        return len(self.decisions)

    def add(self, m: Buffer, seat: int, answer: Sequence[float]) -> bool:
        """A seat is to decide in this state, and how likely the teacher is to take each of its
        options. No if that does not fit."""
        job, engine = self.learner.job, self.learner.engine
        state = array("q", m)
        ctypes.memmove(job[learning.STATE], state.buffer_info()[0], 8 * engine.size)
        log = job[learning.LOG]
        if self._note(job.buffer_info()[0], seat, log) != len(answer):
            return False
        length = ctypes.c_int64.from_address(log).value
        self.decisions.append(array("q", ctypes.string_at(log, length)))
        self.answers.append(array("d", answer))
        return True

    def teach(self, weights: Weights, order: Sequence[int], *, changing: bool = True) -> float:
        """Go through lessons in an order. What comes back is how likely the weights were to do as
        the teacher did, on average."""
        if not order:
            return 0.0
        job = self.learner.job
        places = array("q")
        for number in order:
            places.append(self.decisions[number].buffer_info()[0])
            places.append(self.answers[number].buffer_info()[0])
        job[learning.LESSONS] = places.buffer_info()[0]
        job[learning.GAMES] = len(order)
        job[learning.WEIGHTS] = weights.address
        self.learner.set_real(learning.SHARPNESS, 1.0)
        self.learner.set_real(learning.OWN_SHARE, 0.0)
        self._teach(job.buffer_info()[0], int(changing))
        return self.learner.get_real(learning.OWN_SHARE) / len(order)
