"""Kinds that are products: `kind Card: suit in Suit by rank in Rank "{rank} of {suit}"`.

There is a row for each way to put the values together, the last one changing first. What a row is
called follows from its printed name, written as one name: `queenOfSpades`, `hearts7`, `tile6_6`.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from interpreter.model.rows import MOST_COPIES, fill_row, value_names
from interpreter.model.ruleset import KindInfo, RowInfo, Ruleset
from interpreter.model.seats import seat_name
from interpreter.model.types import BOOL, Type, whole
from interpreter.model.worked_out import check_effort, work_out
from interpreter.report.problem import Problems
from interpreter.report.visible import spaced
from interpreter.tree import nodes

_COPIES = whole(0, MOST_COPIES)
_WORD = re.compile(r"[A-Za-z0-9_]+")


def factor_names(rows: nodes.Rows | None) -> list[str]:
    """The fields that rows have without saying more."""
    if isinstance(rows, nodes.RowsProduct):
        return [factor_name(factor) for factor in rows.factors]
    return ["value"] if isinstance(rows, nodes.Range) else []


def factor_name(factor: nodes.Factor) -> str:
    """What the field of a factor is called."""
    if factor.name is not None:
        return factor.name
    if isinstance(factor.of, nodes.TypeRange):
        return "value"
    return factor.of.name[:1].lower() + factor.of.name[1:]


def fill_product(
    ruleset: Ruleset,
    kind: KindInfo,
    rows: nodes.RowsProduct,
    types: Mapping[str, Type],
    problems: Problems,
) -> None:
    """Make the rows of a kind whose fields are declared; `types` are those of its factors."""
    if rows.text is not None and not _check_text(kind, rows.text, problems):
        return
    ways = math.prod(ruleset.type_size(type_) or 0 for type_ in types.values())
    worked = [rows.where, rows.copies, *(info.worked for info in kind.fields.values())]
    if not check_effort(worked, ways, rows.mark, problems):
        return
    for values in itertools.product(*(_values(ruleset, type_) for type_ in types.values())):
        known = {name: (types[name], value) for name, value in zip(types, values, strict=True)}
        kept, copies = 1, 1
        if rows.where is not None:
            found = work_out(ruleset, rows.where, BOOL, known, problems)
            if found is None:
                return
            kept = found
        if kept and rows.copies is not None:
            found = work_out(ruleset, rows.copies, _COPIES, known, problems)
            if found is None:
                return
            copies = found
        if kept:
            _add_row(ruleset, kind, rows, known, copies, problems)
    _check_names(kind, rows, problems)
    if not kind.rows:
        message = f"no row of `{kind.name}` is left: this holds for none of them"
        help_ = "look at the condition: it is asked of every way to put the fields together"
        mark = rows.mark if rows.where is None else rows.where.mark
        problems.error("RR250", message, mark, help=help_)


def _check_names(kind: KindInfo, rows: nodes.RowsProduct, problems: Problems) -> None:
    counted = Counter(row.name for row in kind.rows)
    twice = next((name for name, count in counted.items() if count > 1), None)
    if twice is not None:
        message = f"two rows are called `{twice}`"
        mark = rows.mark if rows.text is None else rows.text.mark
        help_ = "let the text tell them apart; for pieces that are alike write `copies 2` before it"
        problems.error("RR234", message, mark, help=help_)


def _values(ruleset: Ruleset, type_: Type) -> range:
    size = ruleset.type_size(type_) or 0
    return range(type_.low, type_.high + 1) if type_.sort == "int" else range(size)


def _add_row(
    ruleset: Ruleset,
    kind: KindInfo,
    rows: nodes.RowsProduct,
    known: Mapping[str, tuple[Type, int]],
    copies: int,
    problems: Problems,
) -> None:
    for name, (_, value) in known.items():
        kind.fields[name].values.append(value)
    factors = {name: kind.fields[name] for name in known}
    others = {name: info for name, info in kind.fields.items() if name not in known}
    fill_row(ruleset, others, {}, None, problems, factors)
    at = len(kind.rows)
    said = {
        info.name: (info.type, info.values[at])
        for info in kind.fields.values()
        if not info.dimensions and info.type.sort != "list" and len(info.values) > at
    }
    if rows.text is None:
        parts, shown = ("", *[" "] * (len(known) - 1), ""), list(known)
    else:
        parts = rows.text.parts
        shown = [gap.name for gap in rows.text.gaps if isinstance(gap, nodes.Name)]
    if not said.keys() >= set(shown):  # a field that was not understood, which is told
        kind.rows.append(RowInfo(f"{kind.name}{at + 1}", "", copies))
        return
    words = [_word(ruleset, *said[name]) for name in shown]
    label = _filled(parts, [_label(ruleset, *said[name]) for name in shown])
    if rows.text is None and len(known) == 1:
        name = words[0]
    else:
        name = _one_name(kind.name, _filled(parts, [w.replace("-", "minus") for w in words]))
    kind.rows.append(RowInfo(name, label, copies))


def _filled(parts: Sequence[str], words: Sequence[str]) -> str:
    return parts[0] + "".join(word + part for word, part in zip(words, parts[1:], strict=True))


def _word(ruleset: Ruleset, type_: Type, value: int) -> str:
    if type_.optional and value == type_.none:
        return "none"
    match type_.sort:
        case "int":
            return str(value)
        case "bool":
            return "yes" if value else "no"
        case "player":
            return seat_name(value)
        case _:
            return str(value_names(ruleset, type_)[value])


def _label(ruleset: Ruleset, type_: Type, value: int) -> str:
    if type_.sort == "enum" and value >= 0:
        return ruleset.member_labels(type_.name)[value]
    return spaced(_word(ruleset, type_, value))


def _one_name(kind: str, text: str) -> str:
    """`queen of spades` as `queenOfSpades`, and `6-6` as `tile6_6`: a name that can be typed."""
    words: list[str] = _WORD.findall(text)
    if not words or words[0][0].isdigit():
        words.insert(0, kind[:1].lower() + kind[1:])
    name: str = words[0]
    for word in words[1:]:
        between = "_" if name[-1].isdigit() and word[0].isdigit() else ""
        name += between + word[0].upper() + word[1:]
    return name


def _check_text(kind: KindInfo, text: nodes.Text, problems: Problems) -> bool:
    """What is printed on a row are its fields."""
    for gap in text.gaps:
        info = kind.fields.get(gap.name) if isinstance(gap, nodes.Name) else None
        if info is None or info.dimensions or info.type.sort in ("list", "unknown"):
            names = [name for name, each in kind.fields.items() if not each.dimensions]
            message = "only fields of the row can be printed on it"
            help_ = f"write one of {', '.join(f'`{{{name}}}`' for name in names)}"
            problems.error("RR345", message, gap.mark, help=help_)
            return False
    return True
