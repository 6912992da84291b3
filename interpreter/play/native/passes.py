"""What LLVM does to code before it is made machine code of it.

Mostly that is LLVM's own pipeline for a level of optimising. It goes through code again after every
function that it puts in place where it is called, which takes seconds of long code. There we say
ourselves what is put in place (what is small, and what is called from one spot only), in the text;
after that each function is gone through once. That takes two thirds of the time, and games are as
fast as with the pipeline of the first level.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

_SMALL = 15  # lines of a function that is put in place wherever it is called
_CALLED_ONCE = 400  # lines of one that is put in place where it is called, if that is one spot
_FUNCTION = re.compile(r"^define internal [^\n]*?@(\w+)\([^\n]*? nounwind(?=[^\n]*\{$)", re.M)
_NAME = re.compile(r"@(\w+)")
# Before functions are gone through: what nobody calls is dropped, values take the place of slots,
# small code is put in place, and what is the same in all calls of a function is known in it.
_FIRST = (
    "global_dead_code_eliminate", "sroa", "always_inliner", "ipsccp", "dead_arg_elimination",
    "post_order_function_attributes",
)  # fmt: skip


def optimise(llvm: Any, module: Any, machine: Any, level: int) -> None:
    if level == 0:
        return
    builder = _builder(llvm, machine, level)
    builder.getModulePassManager().run(module, builder)


def optimise_long(llvm: Any, module: Any, machine: Any) -> None:
    """For code of which `put_in_place` has said what is put in place."""
    builder = _builder(llvm, machine, 1)
    first = llvm.create_new_module_pass_manager()
    for name in _FIRST:
        getattr(first, f"add_{name}_pass")()
    first.run(module, builder)
    each = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            each.run(function, builder)


def _builder(llvm: Any, machine: Any, level: int) -> Any:
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    tuning.loop_unrolling = tuning.loop_vectorization = tuning.slp_vectorization = level >= 2
    return llvm.create_pass_builder(machine, tuning)


def put_in_place(text: str) -> str:
    """The text of a module in which functions say whether they are to be put in place."""
    named = Counter(_NAME.findall(text))

    def said(found: re.Match[str]) -> str:
        head, name = found[0], found[1]
        end_of_head = text.index("\n", found.end())
        if "noinline" in text[found.end() : end_of_head]:
            return head
        lines = text.count("\n", end_of_head, text.index("\n}", end_of_head))
        once = named[name] == 2 and lines <= _CALLED_ONCE  # where it stands, and the call
        return f"{head} alwaysinline" if once or lines <= _SMALL else head

    return _FUNCTION.sub(said, text)
