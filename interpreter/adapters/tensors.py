"""Rows as tensors, for those who want small numbers: categories one by one, others from 0 to 1."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from interpreter.play.spaces.columns import Columns
from interpreter.play.spaces.domains import LEAST, MOST

_MOST_VALUES = 32  # that are told one by one
Tensor = NDArray[np.float32]


class Encoding:
    """Where each column of a row goes. A column with few values has a number for each of them, of
    which one is 1; one with two values, or with many, has a number between 0 and 1; one without
    bounds a number between -1 and 1 that grows like a logarithm."""

    def __init__(self, columns: Columns) -> None:
        self.low = np.array(columns.low, np.int64)
        span = np.array(columns.high, np.int64) - self.low
        self.apart = (span > 1) & (span < _MOST_VALUES)
        self.endless = np.array(columns.high) >= MOST
        self.span = np.maximum(span, 1)
        width = np.where(self.apart, span + 1, 1)
        self.at = np.concatenate([[0], np.cumsum(width)[:-1]])
        self.size = int(width.sum())

    def write(self, row: NDArray[np.int32], tensor: Tensor) -> None:
        tensor.fill(0)
        there = self.at + np.where(self.apart, row - self.low, 0)
        value = np.where(self.apart, 1.0, (row - self.low) / self.span)
        grown = np.sign(row) * np.log1p(np.abs(np.maximum(row, LEAST))) / np.log1p(MOST)
        tensor[there] = np.where(self.endless, grown, value)


def write_action(tensor: Tensor, action: int, actions: int) -> None:
    """A number of its own if there are few actions, else the bits of its number."""
    if actions <= _MOST_VALUES:
        tensor[action] = 1
    else:
        tensor[: actions.bit_length()] = [
            action + 1 >> bit & 1 for bit in range(actions.bit_length())
        ]


def action_width(actions: int) -> int:
    return actions if actions <= _MOST_VALUES else actions.bit_length()


def write_told(tensor: Tensor, lines: list[str]) -> None:
    """What has been told so far, in a few numbers: each line adds to or takes from one of them,
    which depends on what it says and after how many others."""
    tensor.fill(0)
    for number, line in enumerate(lines):
        mixed = int.from_bytes(blake2b(f"{number} {line}".encode(), digest_size=8).digest())
        tensor[mixed % len(tensor)] += 1 if mixed >> 32 & 1 else -1
