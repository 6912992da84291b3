"""Every construct of the language as the program it becomes, one construct a file.

The listing is in `<name>.txt` beside `<name>.rules`; `python -m pytest tests/test_program.py
--update` writes it. What lowers rules in another way must give the same listings.
"""

from pathlib import Path
from typing import get_args

import pytest
from conftest import Golden

from interpreter.pipeline import build
from interpreter.program import ops
from interpreter.program.listing import list_layout, list_program
from interpreter.program.program import Program
from interpreter.program.verify import operations
from interpreter.reading import read_rules
from interpreter.report.render import render

FOLDER = Path(__file__).parent / "cases" / "program"
CASES = sorted(FOLDER.glob("*.rules"))


def program_of(path: Path) -> Program:
    """The program of a case, for the fewest players; with its scenarios, watched if it cites."""
    rules = read_rules(path)
    watched = bool(rules.clauses)
    program, problems = build(rules, rules.players[0], {}, rules.scenarios, watched=watched)
    assert program is not None, render(problems, rules.sources)
    return program


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_program(path: Path, golden: Golden) -> None:
    program = program_of(path)
    listed = f"{list_program(program)}\n\n{list_layout(program)}\n"
    golden(path.with_suffix(".txt"), listed)


def test_goldens_have_cases() -> None:
    assert not [path for path in FOLDER.glob("*.txt") if not path.with_suffix(".rules").is_file()]


def test_every_operation_has_a_case() -> None:
    """What a case is written for must not have been folded away."""
    wanted = {
        each for part in (ops.Expr, ops.Statement, ops.Instruction) for each in get_args(part)
    }
    found: set[type] = set()
    for path in CASES:
        program = program_of(path)
        parts = [program.code, [function.body for function in program.functions]]
        found |= {type(each) for part in parts for item in part for each in operations(item)}
    assert not {each.__name__ for each in wanted - found}
