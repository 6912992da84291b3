"""Tree in, the one canonical text of it out.

Every line becomes pieces: text, places where it may be broken, and brackets. Lines that fit
stay whole. A line that is too long is broken inside its brackets, outermost first, and a long
chain of `and`, `or` or `+` gets brackets for the purpose: they are not part of the tree.

A citation stands two spaces after the code, a comment two spaces after that. An empty line below a
comment is kept between declarations, where it says that more is meant than the next one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeGuard, assert_never

from interpreter.report.problem import Problem
from interpreter.report.source import Source
from interpreter.tree import nodes, phrases_scenario
from interpreter.tree.parse import parse
from interpreter.tree.phrases import (
    POSTFIX,
    SUM,
    say_attributes,
    say_binder,
    say_binders,
    say_dimensions,
    say_keys,
    say_names,
    say_params,
    say_part,
    say_printed,
    say_range,
    say_rows,
    say_text,
    say_type,
    say_value,
)
from interpreter.tree.pieces import INDENT, Bracket, Pieces, Printer, listed


class FormatterBug(Exception):
    """The formatter changed the meaning of a file or cannot make up its mind."""


def format_source(source: Source) -> tuple[str, list[Problem]]:
    """The formatted text, or the text as it was and what is wrong with it."""
    tree, problems = parse(source)
    if problems:
        return source.text, problems
    text = format_tree(tree)
    again, found = parse(Source(source.name, text))
    if found or again != tree:
        reason = str(found[0]) if found else "the tree is not the same"
        raise FormatterBug(f"formatting {source.name} changed its meaning: {reason}")
    if format_tree(again) != text:
        raise FormatterBug(f"formatting {source.name} twice gives two results")
    return text, []


def format_tree(tree: nodes.Tree) -> str:
    paragraphs: list[list[str]] = []
    sort_before: str | None = None
    for number, declaration in enumerate(tree.declarations):
        remarks = _remarks(tree, number)
        paragraphs += remarks
        printer = _Printer()
        printer.declaration(declaration)
        sort = _SORTS.get(type(declaration)) if len(printer.lines) == 1 else None
        if not remarks and sort is not None and sort == sort_before:
            paragraphs[-1] += printer.lines
        else:
            paragraphs.append(printer.lines)
        # A comment above a line makes a new paragraph, and others may follow it there.
        commented = len(printer.lines) == 1 + len(declaration.before)
        sort_before = _SORTS.get(type(declaration)) if commented else None
    paragraphs += _remarks(tree, len(tree.declarations))
    if tree.closing:
        paragraphs.append([_comment(text) for text in tree.closing])
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in paragraphs)


# One-line declarations of the same sort stay together.
_SORTS: dict[type[nodes.Declaration], str] = {
    nodes.Game: "header",
    nodes.PlayerRange: "header",
    nodes.Data: "header",
    nodes.Clauses: "header",
    nodes.Include: "header",
    nodes.Setting: "option",
    nodes.Require: "require",
    nodes.Enum: "enum",
    nodes.Kind: "kind",
    nodes.Board: "board",
    nodes.Constant: "constant",
    nodes.Group: "group",
    nodes.Function: "function",
    nodes.Quantity: "quantity",
    nodes.Score: "end",
    nodes.Winner: "end",
    nodes.Always: "end",
    nodes.EndsWithin: "end",
}


def _remarks(tree: nodes.Tree, number: int) -> list[list[str]]:
    remarks = (each.comments for each in tree.remarks if each.above == number)
    return [[_comment(text) for text in comments] for comments in remarks]


def _comment(text: str) -> str:
    return f"# {text}".rstrip()


@dataclass(slots=True)
class _Printer:
    """Collects the lines of one declaration."""

    lines: list[str] = field(default_factory=list)
    depth: int = 0

    def line(self, node: nodes.Line, *pieces: str | Bracket) -> None:
        """One logical line with its comments and citations."""
        indent = " " * (self.depth * INDENT)
        self.lines += [f"{indent}{_comment(text)}" for text in node.before]
        cites = f"  [{', '.join(node.cites)}]" if node.cites else ""
        layout = Printer(indent, len(indent))
        layout.lay(pieces, len(indent), False, len(cites))
        after = "" if node.after is None else f"  {_comment(node.after)}"
        self.lines += f"{layout.text}{cites}{after}".split("\n")

    def block(self, lines: Iterable[nodes.Line | nodes.If]) -> None:
        self.depth += 1
        for line in lines:
            self.any_line(line)
        self.depth -= 1

    def any_line(self, node: nodes.Line | nodes.If) -> None:
        match node:
            case nodes.Field():
                hidden = (", hidden",) if node.hidden else ()
                hidden = (", on the back",) if node.on_back else hidden
                type_ = (": ", *say_type(node.type))
                default = say_part(" ", "= ", node.default)
                self.line(
                    node, node.name, *say_dimensions(node.dimensions), *type_, *default, *hidden
                )
            case nodes.Member():
                self.line(node, *_member(node))
            case nodes.Kept():
                each = (" for ", *listed(map(say_binder, node.binders))) if node.binders else ()
                self.line(node, *say_value(node.value), *each)
            case nodes.Case():
                condition = say_part(" ", "if ", node.condition) or (" otherwise",)
                self.line(node, *say_value(node.value), *condition)
            case nodes.When():
                self.line(node, "when ", *say_value(node.condition))
            case nodes.Option():
                self.line(node, node.name, *say_binders(node.binders), *say_text(node.text))
                self.block((*node.whens, *node.body))
            case nodes.Modify():
                to = (" to ", *say_value(node.value), *say_part(" ", "when ", node.when))
                self.line(node, f"modify {node.quantity}", *say_names(node.params), *to)
            case nodes.React():
                may = "may " if node.may else ""
                head = (f"{may}{node.word} {node.event}", *say_names(node.params))
                self.line(node, *head, *say_part(" ", "when ", node.when), *say_text(node.text))
                self.block(node.body)
            case _:
                self.statement(node)  # type: ignore[arg-type]  # the other lines are steps

    def declaration(self, node: nodes.Declaration) -> None:
        match node:
            case nodes.Game():
                self.line(node, f'game "{node.title}"')
            case nodes.PlayerRange():
                most = f"..{node.most}" if node.most != node.least else ""
                self.line(node, f"players {node.least}{most}")
            case nodes.Data():
                self.line(node, f'data "{node.file}"')
            case nodes.Clauses():
                self.line(node, f'clauses "{node.file}"')
            case nodes.Include():
                self.line(node, f'include "{node.file}"')
            case nodes.Setting():
                default = (" = ", *say_value(node.default))
                self.line(node, f"option {node.name}: ", *_setting_values(node), *default)
            case nodes.Require():
                self.line(node, "require ", *say_value(node.condition), *say_text(node.text))
            case nodes.Enum():
                self.line(node, f"enum {node.name}: {say_printed(node.members, node.printed)}")
            case nodes.Kind():
                self.line(node, f"{node.word} {node.name}", *say_rows(node.rows))
                self.block(node.fields)
            case nodes.Board():
                where = say_part(" ", "where ", node.where)
                self.line(node, f"board {node.name}: ", *_shape(node.shape), *where)
                self.block(node.fields)
            case nodes.Constant():
                self.line(node, *_constant(node))
            case nodes.Has():
                owners = f"each {', '.join(node.owners)}" if node.owners else "the game"
                self.line(node, f"{owners} has")
                self.block(node.members)
            case nodes.History():
                last = (f"history {node.name} of the last ", *say_value(node.size, SUM))
                self.line(node, *last, *say_attributes(node.attributes))
                self.block(node.kept)
            case nodes.Group():
                params = say_params(node.params) if node.params else ()
                self.line(node, f"group {node.name}", *params, " = ", *say_binder(node.binder))
            case nodes.Function():
                type_ = () if node.result is None else (": ", *say_type(node.result))
                value = say_part(" ", "= ", node.value)
                self.line(node, f"function {node.name}", *say_params(node.params), *type_, *value)
                self.block((*node.lets, *node.cases))
            case nodes.Quantity():
                value = (" = ", *say_value(node.value))
                self.line(node, f"quantity {node.name}", *say_params(node.params), *value)
            case nodes.Procedure():
                self.line(node, f"{node.word} {node.name}", *say_params(node.params))
                self.block(node.body)
            case nodes.Action():
                head = (f"action {node.name}", *say_binders(node.binders))
                self.line(node, *head, *say_text(node.text))
                self.block((*node.whens, *node.body))
            case nodes.Phase():
                self.line(node, f"phase {node.name}")
                self.block(node.body)
            case nodes.Ability():
                once = f" once per {node.once_per}" if node.once_per is not None else ""
                self.line(node, f"ability {node.name}{once}")
                self.block(node.clauses)
            case nodes.Setup():
                self.line(node, "setup")
                self.block(node.body)
            case nodes.Play():
                self.line(node, "play")
                self.block(node.body)
            case nodes.Score():
                self.line(node, f"score {node.name}: ", *say_value(node.value))
            case nodes.Winner():
                self.line(node, f"winner {node.name} ", *say_keys(node.keys))
            case nodes.Always():
                self.line(node, "always ", *say_value(node.condition), *say_text(node.text))
            case nodes.EndsWithin():
                self.line(node, "ends within ", *say_value(node.moves), " moves")
            case nodes.Scenario():
                self.line(node, *phrases_scenario.say_scenario(node))
                self.depth += 1
                for each in node.heads:
                    self.line(each, *phrases_scenario.say_head(each))
                for part in node.parts:
                    self.part(part)
                self.depth -= 1
            case nodes.NamedSteps():
                self.line(node, *phrases_scenario.say_steps(node))
                self.steps(node.steps)
            case _:
                assert_never(node)

    def steps(self, steps: Iterable[nodes.Step]) -> None:
        self.depth += 1
        for step in steps:
            self.line(step, *phrases_scenario.say_step(step))
        self.depth -= 1

    def part(self, node: nodes.Part) -> None:
        match node:
            case nodes.Given():
                self.line(node, "given")
                self.block(node.body)
            case nodes.RunWhole():
                self.line(node, f"run {node.what}")
            case nodes.Run() if len(node.body) == 1 and _is_plain(node.body[0]):
                self.line(node, "run ", *_simple(node.body[0]))
            case nodes.Run():
                self.line(node, "run")
                self.block(node.body)
            case nodes.Steps() if len(node.steps) == 1 and not _is_commented(node.steps[0]):
                self.line(node, "when ", *phrases_scenario.say_step(node.steps[0]))
            case nodes.Steps():
                self.line(node, "when")
                self.steps(node.steps)
            case _:
                self.line(node, "then ", *phrases_scenario.say_expectation(node))

    def statement(self, node: nodes.Statement) -> None:
        match node:
            case nodes.If():
                self.if_statement(node)
            case nodes.ForEach():
                keys = () if node.keys is None else (" ", *say_keys(node.keys))
                self.line(node, "for each ", *say_binder(node.binder), *keys, *_label(node.label))
                self.block(node.body)
            case nodes.Repeat():
                self.line(node, "repeat", *_repeat_how(node), *_label(node.label))
                self.block(node.body)
            case nodes.Turns():
                name = (f" for {node.name}",) if node.name is not None else ()
                parts = (*say_part(" ", "from ", node.start), *say_part(" ", "where ", node.where))
                self.line(node, "turns", *name, *parts, *_label(node.label))
                self.block(node.body)
            case nodes.Sealed():
                self.line(node, f"sealed for {node.name}", *say_part(" ", "where ", node.where))
                self.block(node.body)
            case nodes.LookingAhead():
                self.line(node, "looking ahead")
                self.block(node.body)
            case nodes.ChooseBlock():
                self.line(node, *_chooser(node.chooser))
                self.block(node.options)
                if node.otherwise is not None:
                    self.depth += 1
                    self.otherwise("otherwise", node.otherwise)
                    self.depth -= 1
            case _:
                self.line(node, *_simple(node))

    def if_statement(self, node: nodes.If) -> None:
        for position, arm in enumerate(node.arms):
            word = "else if " if position else "if "
            self.line(arm, word, *say_value(arm.condition))
            self.block(arm.body)
        if node.otherwise is not None:
            self.otherwise("else", node.otherwise)

    def otherwise(self, word: str, node: nodes.Otherwise) -> None:
        self.line(node, word)
        self.block(node.body)


_SimpleStatement = (
    nodes.Assign
    | nodes.AssignRandom
    | nodes.Let
    | nodes.LetRandom
    | nodes.Do
    | nodes.Jump
    | nodes.Leave
    | nodes.ChooseActions
    | nodes.ChooseValue
    | nodes.Shuffle
    | nodes.Draw
    | nodes.Move
    | nodes.MoveAll
    | nodes.MoveSome
    | nodes.Roll
    | nodes.Reveal
    | nodes.Hide
    | nodes.Remember
    | nodes.Wins
    | nodes.Loses
    | nodes.Together
    | nodes.EndGame
    | nodes.Say
)


def _is_plain(node: nodes.Statement) -> TypeGuard[_SimpleStatement]:
    """Whether a statement fits on the line of the word before it."""
    return isinstance(node, _SimpleStatement) and not _is_commented(node)


def _is_commented(node: nodes.Line) -> bool:
    return bool(node.before or node.after or node.cites)


def _simple(node: _SimpleStatement) -> Pieces:
    """A statement of one line."""
    match node:
        case nodes.Assign():
            target = say_value(node.target, POSTFIX)
            return (*target, f" {node.operator} ", *say_value(node.value))
        case nodes.AssignRandom():
            return (*say_value(node.target, POSTFIX), " := random ", *say_binder(node.binder))
        case nodes.Let():
            return (f"let {node.name} = ", *say_value(node.value))
        case nodes.LetRandom():
            return (f"let {node.name} = random ", *say_binder(node.binder))
        case nodes.Do():
            return say_value(node.call, POSTFIX)
        case nodes.Jump():
            return (node.word,)
        case nodes.Leave():
            return (f"leave {node.name}",)
        case nodes.ChooseActions():
            return (*_chooser(node.chooser), f" {' or '.join(node.actions)}")
        case nodes.ChooseValue():
            return (*_chooser(node.chooser), " ", *say_binder(node.binder), *say_text(node.text))
        case nodes.Shuffle():
            return ("shuffle ", *say_value(node.place))
        case nodes.Draw():
            amount = (_up_to(node.up_to), *say_value(node.amount))
            return ("draw ", *amount, *_from_place_to(node.source, node.target))
        case nodes.Move():
            end = f" at {node.end}" if node.end is not None else ""
            return ("move ", *say_value(node.what), " to ", *say_value(node.target), end)
        case nodes.MoveAll():
            return ("move all", *_from_place_to(node.source, node.target))
        case nodes.MoveSome():
            amount = (_up_to(node.up_to), *say_value(node.amount), " of ", *say_value(node.row))
            return ("move ", *amount, *_from_place_to(node.source, node.target))
        case nodes.Roll():
            return ("roll ", *say_value(node.target))
        case nodes.Reveal():
            return ("reveal ", *say_value(node.what), *say_part(" ", "to ", node.to))
        case nodes.Hide():
            return ("hide ", *say_value(node.what))
        case nodes.Remember():
            return (f"remember {node.name}",)
        case nodes.Wins():
            who = ("nobody",) if node.who is None else say_value(node.who, POSTFIX)
            return (*who, " wins")
        case nodes.Loses():
            return (*say_value(node.who, POSTFIX), " loses")
        case nodes.Together():
            if node.who is None:
                return (f"everybody {node.word}s",)
            return (*say_binder(node.who), f" {node.word}")
        case nodes.EndGame():
            return ("end game",)
        case nodes.Say():
            return ("say", *say_text(node.text), *say_part(" ", "to ", node.to))
        case _:
            assert_never(node)


def _up_to(up_to: bool) -> str:
    return "up to " if up_to else ""


def _from_place_to(source: nodes.Expr, target: nodes.Expr) -> Pieces:
    return (" from ", *say_value(source), " to ", *say_value(target))


def _chooser(chooser: nodes.Chooser) -> Pieces:
    if chooser.seat is None:
        return ("choose",)
    always = " always" if chooser.always else ""
    word = f" may{always} choose" if chooser.may else f"{always} chooses"
    return (*say_value(chooser.seat, POSTFIX), word)


def _label(label: str | None) -> Pieces:
    return () if label is None else (f" as {label}",)


def _repeat_how(node: nodes.Repeat) -> Pieces:
    if node.value is None:
        return ()
    if node.how == "times":
        return (" ", *say_value(node.value), " times")
    return (f" {node.how} ", *say_value(node.value))


def _setting_values(node: nodes.Setting) -> Pieces:
    return (
        say_range(node.values)
        if isinstance(node.values, nodes.Range)
        else (say_printed(node.values, node.printed),)
    )


def _shape(shape: nodes.Shape | nodes.ShapeFrom) -> Pieces:
    if isinstance(shape, nodes.ShapeFrom):
        return (f"{shape.word} from {'.'.join(shape.path)}",)
    first, *more = (say_value(size, SUM) for size in shape.sizes)
    return (f"{shape.word} ", *first, *(piece for size in more for piece in (" by ", *size)))


def _constant(node: nodes.Constant) -> Pieces:
    type_ = () if node.type is None else (": ", *say_type(node.type))
    value = say_part(" ", "= ", node.value)
    if node.path is not None:
        value = (f" from {'.'.join(node.path)}",)
    if node.value is not None and node.more:
        many = listed(say_value(each) for each in (node.value, *node.more))
        value = (" = ", Bracket("(", many, ")", optional=True))
    return (f"constant {node.name}", *say_dimensions(node.dimensions), *type_, *value)


def _member(node: nodes.Member) -> Pieces:
    names = say_printed(node.names, node.printed)
    head = (names, *say_dimensions(node.dimensions), ": ", *say_type(node.type))
    return (*head, *say_part(" ", "= ", node.start), *say_attributes(node.attributes))
