"""Rules with something set otherwise than their files say: `startMoney=8000` for a constant,
`money=8000` for what a variable starts with, `personnel.P-04.minimum=2000` for a row of the data.

What is set becomes a source of its own, `--set`, with a line for each setting. So messages point at
it like at any file, and the rules have another hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interpreter.data import yaml_tree
from interpreter.model.rows import DataFile
from interpreter.reading import Rules
from interpreter.report.source import Mark, Source
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.parse import parse

NAME = "--set"  # of the source
_SHOWN = 8  # names that are listed for whoever asked for one there is not


def amend(rules: Rules, settings: Sequence[str]) -> None:
    """Change rules that have just been read. What cannot be set is a problem of theirs."""
    if not settings:
        return
    made = [_Setting(rules, setting, line) for line, setting in enumerate(settings, 1)]
    rules.set_otherwise = tuple(settings)
    rules.sources[NAME] = Source(NAME, "".join(f"{each.text}\n" for each in made))
    for each in made:
        each.make()


class _Setting:
    def __init__(self, rules: Rules, text: str, line: int) -> None:
        self.rules, self.line = rules, line
        name, _, value = text.partition("=")
        self.name, self.value = name.strip(), value.strip()
        self.path = tuple(part.strip() for part in self.name.split("."))
        constants = {e.name: e for e in rules.declarations if isinstance(e, nodes.Constant)}
        self.constants = constants
        self.constant = constants.get(self.path[0])
        self.starts = _starts(rules, self.path[0])
        # The line as the rules would have it, so that what is read from it has its marks.
        is_plain = self.constant is not None and self.constant.path is None
        self.before = "constant " if is_plain else "variable " if self._is_start() else ""
        self.text = f"{self.before}{self.name} = {self.value}"

    def make(self) -> None:
        if not self.name or not self.value:
            help_ = "write what is set, an equals sign and the value: `--set startMoney=8000`"
            self._refuse("RR891", "this sets nothing", help_)
            return
        constant = self.constant
        if constant is not None and constant.path is None:
            self._constant(constant)
            return
        if self._is_start():
            self._start()
            return
        path = (*constant.path, *self.path[1:]) if constant and constant.path else self._in_data()
        data = self.rules.data
        if data is None or path[0] not in _names(data.root):
            known = [*self.constants, *(_names(data.root) if data is not None else ())]
            known += [name for name, _, _ in _members(self.rules)]
            there = f"there is {', '.join(sorted(known)[:_SHOWN])}" if known else None
            near = self._as_option() or did_you_mean(self.path[0], known) or there
            message = f"no constant, start of a variable or data is called `{self.path[0]}`"
            self._refuse("RR890", message, near)
            return
        value = self._data_value()
        root = None if value is None else self._replaced(data.root, path, value)
        if root is not None:
            self.rules.data = DataFile(data.name, root, data.used)

    def _as_option(self) -> str | None:
        """What to write instead, if it is an option of the game."""
        options = (e.name for e in self.rules.declarations if isinstance(e, nodes.Setting))
        if self.name not in options:
            return None
        return f"`{self.name}` is an option of the game: `--option {self.name}={self.value}`"

    def _in_data(self) -> tuple[str, ...]:
        """Rows go by the name of their kind too, as the rules call it."""
        for each in self.rules.declarations:
            match each:
                case nodes.Kind(name=name, rows=nodes.RowsFrom(path=path)) if name == self.path[0]:
                    return (*path, *self.path[1:])
                case _:  # other declarations have no rows of their own in the data
                    pass
        return self.path

    # ---- constants

    def _constant(self, constant: nodes.Constant) -> None:
        if len(self.path) > 1 or constant.dimensions or constant.more:
            help_ = "constants with one value and rows of the data file can be set"
            self._refuse("RR890", f"`{constant.name}` has several values", help_)
            return
        value = self._value("constant")
        if value is not None:
            declarations = self.rules.declarations
            declarations[declarations.index(constant)] = replace(constant, value=value)

    def _value(self, what: str) -> nodes.Expr | None:
        """As the rules would read it. The line is read as one of a constant, whatever it sets: both
        words are as long, so marks are right."""
        blank, line = "\n" * (self.line - 1), self.text.removeprefix(self.before)
        tree, problems = parse(Source(NAME, f"{blank}constant {line}\n"))
        if problems or len(tree.declarations) != 1:
            help_ = "write a number, yes or no, or a name the rules know"
            self._refuse("RR891", f"`{self.value}` is no value for a {what}", help_)
            return None
        found = tree.declarations[0]
        assert isinstance(found, nodes.Constant)
        return found.value

    # ---- what variables start with

    def _is_start(self) -> bool:
        data = self.rules.data
        in_data = data is not None and self.path[0] in _names(data.root)
        return self.constant is None and not in_data and bool(self.starts)

    def _start(self) -> None:
        if len(self.starts) > 1 or len(self.path) > 1:
            help_ = "a variable can be set if no other is called the same"
            self._refuse("RR890", f"`{self.name}` is no single variable", help_)
            return
        ((group, member),) = self.starts
        value = self._value("variable")
        if value is not None:
            members = tuple(
                replace(each, start=value) if each is member else each for each in group.members
            )
            declarations = self.rules.declarations
            declarations[declarations.index(group)] = replace(group, members=members)

    # ---- data

    def _data_value(self) -> yaml_tree.Node | None:
        from interpreter.data.yaml_reader import compose

        node, problems = compose(Source(NAME, self.value))
        if node is None or problems:
            help_ = "write it as it would stand in the data file: a number, a word, `[a, b]`"
            self._refuse("RR891", f"`{self.value}` cannot be read", help_)
            return None
        return _moved(node, self._mark_of_value())

    def _replaced(
        self, node: yaml_tree.Node, path: tuple[str, ...], value: yaml_tree.Node
    ) -> yaml_tree.Node | None:
        """The same node with another value at the end of a path."""
        if not path:
            if type(node) is not type(value) and isinstance(node, yaml_tree.Mapping):
                names = ", ".join(_names(node)[:_SHOWN])
                help_ = f"go on to one of its values: `{self.name}.` and {names}"
                self._refuse("RR890", f"`{self.name}` is no single value", help_)
                return None
            return value
        step, rest = path[0], path[1:]
        match node:
            case yaml_tree.Mapping():
                for number, (key, inner) in enumerate(node.entries):
                    if key.text == step:
                        changed = self._replaced(inner, rest, value)
                        if changed is None:
                            return None
                        entries = list(node.entries)
                        entries[number] = (key, changed)
                        return replace(node, entries=tuple(entries))
                if not rest:  # a field that the row left to its default
                    key = yaml_tree.Scalar(step, self._mark_of_name(), step)
                    return replace(node, entries=(*node.entries, (key, value)))
            case yaml_tree.Sequence():
                for number, item in enumerate(node.items):
                    if _row_name(item) == step or str(number + 1) == step:
                        changed = self._replaced(item, rest, value)
                        if changed is None:
                            return None
                        items = list(node.items)
                        items[number] = changed
                        return replace(node, items=tuple(items))
            case yaml_tree.Scalar():
                pass
        known = _names(node)
        there = f"there is {', '.join(known[:_SHOWN])}" if known else None
        where = ".".join(self.path[: len(self.path) - len(path)])
        message = f"`{where}` has no `{step}`" if where else f"there is no `{step}`"
        self._refuse("RR890", message, did_you_mean(step, known) or there)
        return None

    # ---- where it stands

    def _mark_of_name(self) -> Mark:
        start = 1 + len(self.before)
        return Mark(NAME, self.line, start, self.line, start + len(self.name))

    def _mark_of_value(self) -> Mark:
        end = 1 + len(self.text)
        return Mark(NAME, self.line, end - len(self.value), self.line, end)

    def _refuse(self, code: str, message: str, help_: str | None) -> None:
        mark = self._mark_of_name() if self.name else Mark(NAME, self.line, 1, self.line, 2)
        self.rules.problems.error(code, message, mark, help=help_)


def _members(rules: Rules) -> list[tuple[str, nodes.Has, nodes.Member]]:
    """Variables that start with a value of their own."""
    return [
        (member.names[0], each, member)
        for each in rules.declarations
        if isinstance(each, nodes.Has)
        for member in each.members
        if member.start is not None and len(member.names) == 1
    ]


def _starts(rules: Rules, name: str) -> list[tuple[nodes.Has, nodes.Member]]:
    return [(group, member) for each, group, member in _members(rules) if each == name]


def _row_name(node: yaml_tree.Node) -> str | None:
    if isinstance(node, yaml_tree.Mapping):
        name = node.get("id") or node.get("name")
        return name.text if isinstance(name, yaml_tree.Scalar) else None
    return node.text if isinstance(node, yaml_tree.Scalar) else None


def _names(node: yaml_tree.Node) -> list[str]:
    """What can be the next step of a path."""
    match node:
        case yaml_tree.Mapping():
            return [key.text for key, _ in node.entries]
        case yaml_tree.Sequence():
            return [name for name in map(_row_name, node.items) if name is not None]
        case yaml_tree.Scalar():
            return []


def _moved(node: yaml_tree.Node, mark: Mark) -> yaml_tree.Node:
    """The same data, all of it marked where it was typed."""
    match node:
        case yaml_tree.Scalar():
            return replace(node, mark=mark)
        case yaml_tree.Sequence():
            items = tuple(_moved(item, mark) for item in node.items)
            return yaml_tree.Sequence(items, mark)
        case yaml_tree.Mapping():
            entries = tuple((replace(k, mark=mark), _moved(v, mark)) for k, v in node.entries)
            return yaml_tree.Mapping(entries, mark)
