"""Tables of weights as bytes of a file: few weights are not 0, so only these are kept."""

from __future__ import annotations

import zlib


class BadBot(ValueError):
    """A file that is no trained bot; the text says why, in words for people."""


def packed(weights: bytes, width: int) -> bytes:
    """How far it is from each weight that is not 0 to the next, then their values, `width` bytes
    each."""
    gaps, values, last = bytearray(), bytearray(), -1
    nothing = bytes(width)
    count = 0
    for place in range(len(weights) // width):
        value = weights[place * width : (place + 1) * width]
        if value != nothing:
            gap = place - last
            while gap > 127:
                gaps.append(128 | gap & 127)
                gap >>= 7
            gaps.append(gap)
            values += value
            last = place
            count += 1
    return zlib.compress(count.to_bytes(4, "little") + bytes(gaps) + bytes(values), 9)


def unpacked(data: bytes, bits: int, width: int) -> bytes:
    """The whole table; empty if all weights are 0. Raises BadBot."""
    size = 1 << bits
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(data, 4 + (5 + width) * size)
    except zlib.error:
        raise BadBot("the weights of the file cannot be unpacked") from None
    count = int.from_bytes(data[:4], "little")
    whole = unpacker.eof and not unpacker.unconsumed_tail
    if not whole or count > size or len(data) < 4 + (1 + width) * count:
        raise BadBot("the weights of the file are not what it says")
    if not count:
        return b""
    found = bytearray(size * width)
    first = len(data) - width * count
    values, gaps = data[first:], data[4:first]
    place, gap, shift, index = -1, 0, 0, 0
    for byte in gaps:
        gap |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            place += gap
            if place >= size or index >= count or not gap:
                raise BadBot("the weights of the file are not what it says")
            found[place * width : (place + 1) * width] = values[index * width : (index + 1) * width]
            index, gap, shift = index + 1, 0, 0
    if index != count:
        raise BadBot("the weights of the file are not what it says")
    return bytes(found)
