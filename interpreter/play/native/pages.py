"""Memory for native code: pages that are never touched cost nothing."""

from __future__ import annotations

import mmap


def empty_pages(size: int) -> mmap.mmap:
    """So many bytes, all 0. A copy of this process has its own of them: by default both would go on
    writing to the same ones."""
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)
