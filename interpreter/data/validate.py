"""Checking data against a JSON Schema; the only module that knows jsonschema.

It is imported only when something may be wrong (see fits.py), because it takes longer to load
than most files to check.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from interpreter.data import yaml_tree
from interpreter.data.fits import fits
from interpreter.report.problem import Problem, Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean

if TYPE_CHECKING:
    from jsonschema import ValidationError

Path = tuple[str | int, ...]

_AT_MOST = 100  # problems of one document: after so many, more of them help nobody


def validate(document: Any, schema: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """What does not fit the schema (draft 2020-12), by place, with the path to each."""
    return [(finding.path, finding.message) for finding in _findings(document, schema)]


def validate_node(node: yaml_tree.Node, schema: Mapping[str, Any]) -> list[Problem]:
    """The same for a YAML tree, as problems with marks."""
    problems: list[Problem] = []
    findings = _findings(yaml_tree.plain(node), schema)[:_AT_MOST]
    strays = {id(each) for finding in findings for each in _strays(node, finding, findings)}
    for finding in findings:
        if id(finding) in strays:
            continue
        mark = _finding_mark(node, finding)
        help = _glued(finding)
        if finding.listed is not None:
            further = [each.key or "" for each in _strays(node, finding, findings)]
            listed = ", ".join([finding.listed, *further])
            help = f"Put brackets around a list: write `{finding.path[-1]}: [{listed}]`."
        if help is None and finding.key is not None:
            help = _called_otherwise(finding.key, finding.accepted)
        if help is None and finding.word:
            help = did_you_mean(finding.word, finding.accepted)
        if help is None and finding.accepted:
            help = f"Accepted here: {_listed(finding.accepted)}.{finding.otherwise}"
        problems.append(Problem("RR040", finding.message, mark, help=help))
    return Problems(problems).items()


@dataclass(frozen=True, slots=True)
class _Finding:
    path: Path
    message: str
    key: str | None = None  # the guilty key, if it is not the value at the path
    word: str | None = None  # what was typed, to look for near names
    accepted: tuple[str, ...] = ()
    otherwise: str = ""  # what else could be done, as another sentence
    lone: str | None = None  # a text that stands where a table should
    listed: str | None = None  # a text that stands where a list should


def _listing(error: ValidationError, kinds: Iterable[str]) -> str | None:
    found: Any = error.instance
    inside = error.absolute_path and isinstance(error.absolute_path[-1], str)
    return found if inside and isinstance(found, str) and "array" in kinds else None


def _strays(node: yaml_tree.Node, finding: _Finding, findings: list[_Finding]) -> list[_Finding]:
    """The further words of a list without brackets, `tags: light, metal`, which are read as names
    with nothing after them."""
    if finding.listed is None:
        return []
    row = yaml_tree.plain(yaml_tree.find(node, finding.path[:-1]))
    return [
        each
        for each in findings
        if each.key is not None and each.path == finding.path[:-1] and row.get(each.key) is None
    ]


def _lone(found: Any, kinds: Iterable[str]) -> str | None:
    return found if isinstance(found, str) and "object" in kinds else None


def _glued(finding: _Finding) -> str | None:
    """`cost:3`, `cost 3` and `cost = 3` are read as names with nothing behind them, and on a line
    of their own as a text."""
    if finding.lone is not None:
        found = re.fullmatch(r"([\w-]+)\s*[:=]\s*(\S.*)", finding.lone)
    else:
        found = re.fullmatch(r"([\w-]+)(?:\s*[:=]\s*|\s+)(.+)", finding.key or "")
    if found is None or (finding.lone is None and found[1] not in finding.accepted):
        return None
    return f"A `: ` belongs between a name and its value: write `{found[1]}: {found[2]}`."


# What other games' data calls that which every row may have here.
_OTHERWISE = {
    **dict.fromkeys(
        ("count", "amount", "number", "quantity", "qty", "many", "times", "num"), "copies"
    ),
    **dict.fromkeys(("title", "label", "printed", "displayName"), "name"),
    **dict.fromkeys(("symbol", "icon", "letter", "char"), "sign"),
    **dict.fromkeys(("description", "desc", "comment", "effect"), "text"),
    **dict.fromkeys(("key", "identifier"), "id"),
}
_MEANS = {
    "copies": "how many of it there are",
    "name": "what people read",
    "sign": "how it is drawn",
    "text": "what is printed on it",
    "id": "what the rules call it",
}


def _called_otherwise(key: str, accepted: tuple[str, ...]) -> str | None:
    instead = _OTHERWISE.get(key)
    if instead is None or instead not in accepted:
        return None
    return f"Write `{instead}` instead of `{key}`: {_MEANS[instead]}."


def _finding_mark(node: yaml_tree.Node, finding: _Finding) -> Mark:
    found = yaml_tree.find(node, finding.path)
    if finding.key is not None and isinstance(found, yaml_tree.Mapping):
        found = found.key(finding.key) or found
    return found.mark


def _findings(document: Any, schema: Mapping[str, Any]) -> list[_Finding]:
    if fits(document, schema):
        return []
    from jsonschema import Draft202012Validator
    from referencing import Registry

    # An explicit registry never fetches a schema from elsewhere.
    validator = Draft202012Validator(schema, registry=Registry())
    errors = islice(validator.iter_errors(document), _AT_MOST)
    findings = [finding for error in errors for finding in _explain(error)]
    return sorted(findings, key=lambda finding: [_step_order(step) for step in finding.path])


def _step_order(step: str | int) -> tuple[int, str]:
    return (step, "") if isinstance(step, int) else (-1, step)


def _explain(error: ValidationError) -> Iterator[_Finding]:
    """Say in plain words what an error of the validator means."""
    path = tuple(error.absolute_path)
    found: Any = error.instance
    wanted: Any = error.validator_value
    match str(error.validator):
        case "anyOf" | "oneOf" if error.context:
            yield from _explain_choice(error)
        case "additionalProperties" | "unevaluatedProperties":
            accepted = tuple(_schema(error).get("properties", ()))
            for key in _unknown_keys(error):
                message = f"`{_cropped(key)}` is found, and this name is not accepted here."
                otherwise = _schema(error).get("$comment", "").replace("{}", key)
                if found[key] is None:  # `name: Lamp, old` in braces
                    otherwise = " If it belongs to the text before it, put quotes around both."
                yield _Finding(path, message, key, key, accepted, otherwise)
        case "required":
            # The validator makes one error for each missing name; all of them are told with the
            # first, because they have one place.
            missing = [key for key in wanted if key not in found]
            if error.message.startswith(repr(missing[0])):
                named = " and ".join(f"`{key}`" for key in missing)
                yield _Finding(
                    path, f"{named} {'is' if len(missing) == 1 else 'are'} missing here."
                )
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            accepted_kinds = _either(_KINDS.get(name, name) for name in names)
            message = _instead(accepted_kinds, found)
            yield _Finding(path, message, lone=_lone(found, names), listed=_listing(error, names))
        case "enum":
            accepted = tuple(_spelled(value) for value in wanted)
            word = found if isinstance(found, str) else None
            message = f"{_described(found)} is found, and it is not accepted here."
            if word is not None and "title" in _schema(error):
                message = f"There is no {_schema(error)['title']} `{_cropped(word)}`."
            otherwise = _schema(error).get("$comment", "").replace("{}", word or "...")
            yield _Finding(path, message, word=word, accepted=accepted, otherwise=otherwise)
        case "const":
            message = _instead(f"`{_spelled(wanted)}`", found)
            yield _Finding(path, message)
        case name if name in _BOUNDS:
            yield _Finding(path, _instead(_BOUNDS[name].format(wanted), found))
        case "uniqueItems":
            yield _Finding(path, "The same item stands twice in this list.")
        case "pattern":
            wanted = _schema(error).get("description", f"text like `{wanted}`")
            message = _instead(wanted, found)
            is_key = "propertyNames" in error.absolute_schema_path
            yield _Finding(path, message, key=found if is_key else None)
        case _:
            yield _Finding(path, f"This is not accepted here: {_cropped(error.message, 200)}.")


def _explain_choice(error: ValidationError) -> Iterator[_Finding]:
    """None of several shapes fits: explain the one that was most likely meant."""
    here = tuple(error.absolute_path)
    branches: dict[Any, list[ValidationError]] = {}
    for cause in error.context:
        branches.setdefault(cause.relative_schema_path[0], []).append(cause)
    # A branch of the wrong kind was not meant.
    meant = [
        causes
        for causes in branches.values()
        if not any(c.validator == "type" and tuple(c.absolute_path) == here for c in causes)
    ]
    if not meant:
        kinds: list[str] = []
        for cause in error.context:
            if cause.validator == "type" and tuple(cause.absolute_path) == here:
                wanted: Any = cause.validator_value
                kinds += [wanted] if isinstance(wanted, str) else wanted
        named = _either(dict.fromkeys(_KINDS.get(kind, kind) for kind in kinds))
        message = _instead(named, error.instance)
        yield _Finding(here, message, lone=_lone(error.instance, kinds))
        return
    for cause in min(meant, key=len):
        yield from _explain(cause)


def _unknown_keys(error: ValidationError) -> list[str]:
    keys: Any = error.instance
    if error.validator == "unevaluatedProperties":  # only the message tells which
        return [key for key in keys if repr(key) in error.message]
    known = _schema(error).get("properties", ())
    patterns = _schema(error).get("patternProperties", ())
    return [
        key
        for key in keys
        if key not in known and not any(re.search(pattern, key) for pattern in patterns)
    ]


def _schema(error: ValidationError) -> Mapping[str, Any]:
    return error.schema if isinstance(error.schema, Mapping) else {}


_KINDS = {
    "object": "a table of `name: value`",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "null": "nothing",
}
_BOUNDS = {
    "minimum": "{} or more",
    "maximum": "{} or less",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "text of length {} or more",
    "maxLength": "text of length {} or less",
    "minItems": "a list of {} or more",
    "maxItems": "a list of {} or fewer",
    "minProperties": "a table of {} or more",
    "maxProperties": "a table of {} or fewer",
}


def _instead(wanted: str, found: Any) -> str:
    described = _described(found)
    return f"This should be {wanted}, not {described[0].lower()}{described[1:]}."


def _described(value: Any) -> str:
    match value:
        case None:
            return "Nothing"
        case bool() | int():
            return f"`{_spelled(value)}`"
        case str():
            return f"The text `{_cropped(value)}`"
        case list():
            return f"A list of {len(value)}" if value else "An empty list"
        case dict():
            return "A table" if value else "An empty table"
        case _:
            return f"`{_cropped(str(value))}`"


def _spelled(value: Any) -> str:
    """A value as it is typed in YAML."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)


def _listed(words: tuple[str, ...], most: int = 12) -> str:
    shown = ", ".join(f"`{word}`" for word in words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"


def _cropped(text: str, length: int = 40) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
