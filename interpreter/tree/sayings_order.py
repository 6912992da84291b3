"""Lines that have the right parts in another order, or one part in other words."""

from __future__ import annotations

from interpreter.tree.sayings_values import Saying

_OPERAND = r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?"
_STEPPED = "play|phase|procedure|action|event|setup|ability"
_HAS = "the|each|kind|table"

ORDER = (
    Saying(
        r"^(?P<head>(?:kind|table) \w+: ?)(?P<mark>\w+ in [\w.]+(?P<at>,) ?\w+ in .+)$",
        "every combination is made with `by`: `{head}{combined}`",
        "kind|table",
    ),
    Saying(
        r"^(?P<head>(?:kind|table|constant) \w+)(?P<mark>:) ?from (?P<at>(?P<path>[\w.]+))$",
        "it has no `:` before `from`: `{head} from {path}`",
        "kind|table|constant",
    ),
    Saying(
        r"^(?P<mark>(?P<word>stack|row|set|hand|slot|bag|pool) (?P<at>of) (?P<kind>\w+): ?"
        r"(?P<name>\w+))$",
        "the name comes first: `{name}: {word} of {kind}`",
        "the|each",
    ),
    Saying(
        r"^(?P<head>function \w+(?:\([^()]*\))?) ?(?P<mark>(?P<at>-|=)>) ?(?P<rest>\w.*)$",
        "the type of the value comes after `:`: `{head}: {rest}`",
        "function",
    ),
    Saying(
        r"^(?P<head>action \w+|\w+) (?P<mark>(?P<text>\"[^\"]*\") ?(?P<rest>(?P<at>\()[^\"]*\)))$",
        "the brackets come before the text: `{head}{rest} {text}`",
        _STEPPED,
    ),
    Saying(
        r"^always (?P<mark>(?P<text>\"[^\"]*\"):? (?P<at>(?P<test>[^\s:]\S*.*)))$",
        "the condition comes first, and then the text: `always {test} {text}`",
        "always",
    ),
    Saying(
        r"^require (?P<mark>(?P<text>\"[^\"]*\"):? (?P<at>(?P<test>[^\s:]\S*.*)))$",
        "the condition comes first, and then the text: `require {test} {text}`",
        "require",
    ),
    Saying(
        r"^(?P<mark>(?P<word>stack|row|set|hand|slot|bag|pool) (?P<at>of) (?P<kind>\w+))"
        r"(?P<rest>(?:,.*)?)$",
        "the name comes first: `{word}: {word} of {kind}{rest}`",
        "the|each",
        "this place has no name",
    ),
    Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?) ?(?P<mark>(?P<at>=)) ?"
        r"(?P<type>int|bool|ability|[A-Z]\w*(?: or none)?|\d+ ?\.\. ?\w+)$",
        "the type comes after `:`: `{name}: {type}`",
        _HAS,
    ),
    Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?): (?P<mark>(?P<word>active|clamped|face up|face down)) "
        r"(?P<at>\w+)(?P<rest>.*)$",
        "the word comes at the end, after a comma: `{name}: {at}{rest}, {word}`",
        "the|each",
    ),
    Saying(
        r"\b(?P<mark>(?P<called>neighbours|adjacent|diagonals|next|previous|top|bottom|holder|"
        rf"position) (?P<at>of|to) (?P<x>{_OPERAND}))",
        "what it is asked of comes in brackets: `{called}({x})`",
    ),
    Saying(
        r"\b(?P<word>max|min|sum)\((?P<mark>(?P<x>\w+)\.(?P<f>[\w.]+) in "
        r"(?P<many>[\w.]+))(?P<at>\))",
        "what it goes through comes after `for`: `{word}({x}.{f} for {x} in {many}{nothing})`",
    ),
    Saying(
        r"^(?P<word>after|before|instead of) (?P<mark>(?P<name>\w+) (?P<at>\w+)"
        r"(?P<more>(?:, ?\w+)+))(?P<rest>.*)$",
        "what the event is given comes in brackets: `{word} {name}({at}{more}){rest}`",
        "ability",
    ),
    Saying(
        r"^turns (?P<mark>for (?:each|every) (?P<at>(?P<name>\w+))(?: in players)?)$",
        "`turns` goes round the table by itself: `turns`, or `turns for {name}`",
    ),
    Saying(
        r"^turns for (?P<name>\w+) (?P<mark>(?P<at>in) players)$",
        "`turns` goes round the table by itself: `turns for {name}`",
    ),
    Saying(
        r"^(?P<mark>(?P<at>\")(?P<text>[^\"]*)\")$",
        'an option has a name before its text: `{joined_name} "{text}"`',
        _STEPPED,
    ),
    Saying(
        r"\b(?P<mark>number of (?:the )?\w+ in (?P<place>[\w.]+)) (?P<at>[<>=!])",
        "name the place alone: `number of {place}`",
    ),
    Saying(
        rf"(?P<mark>(?P<x>(?:number of )?{_OPERAND}) (?:is )?(?P<at>less|fewer|smaller|lower) than "
        rf"(?P<y>{_OPERAND}))",
        "write `{x} < {y}`",
    ),
    Saying(
        rf"(?P<mark>(?P<x>(?:number of )?{_OPERAND}) (?:is )?(?P<at>greater|more|bigger|higher|"
        rf"larger) than (?P<y>{_OPERAND}))",
        "write `{x} > {y}`",
    ),
    Saying(
        rf"(?P<mark>(?P<x>(?:number of )?{_OPERAND}) (?P<at>at) least (?P<y>{_OPERAND}))",
        "write `{x} >= {y}`",
    ),
    Saying(
        rf"(?P<mark>(?P<x>(?:number of )?{_OPERAND}) (?P<at>at) most (?P<y>{_OPERAND}))",
        "write `{x} <= {y}`",
    ),
    Saying(
        r"^(?P<head>for each .+?|repeat) (?P<mark>as long (?P<at>as)) (?P<test>\S.*)$",
        "write `{head} while {test}`",
    ),
    Saying(
        r"^(?P<head>for each .+?) (?P<mark>(?P<at>sorted|ordered|order|sort)(?: by)?"
        rf"(?: the)?(?: (?P<end>most|least))? (?P<key>{_OPERAND})).*$",
        "the order is said with `by`: `{head} by {extreme} {key} ties in order`",
    ),
    Saying(
        rf"\b(?P<mark>(?P<x>\w+) (?P<at>next to|adjacent to|beside|near|around|touching) "
        rf"(?P<c>{_OPERAND}))",
        "the cells beside another are its neighbours: `{x} in neighbours({c})`",
    ),
    Saying(
        r"\b(?P<mark>reach\((?P<a>[^()]*?) (?P<at>through) (?P<rest>.+?) within "
        rf"(?P<n>{_OPERAND})\))",
        "`within` comes first: `reach({a} within {n} {at} {rest})`",
    ),
    Saying(
        r"\b(?P<mark>reach\((?P<a>[^()]*?)(?P<at>,) ?(?P<n>[\w.]+)\))",
        "say what a step costs: `reach({a} within {n} through x costs 1)`",
    ),
    Saying(
        r"\b(?P<mark>(?P<word>line|region)\((?P<a>[\w.]+)(?P<at>,) ?(?:where )?"
        rf"(?P<test>(?P<x>\w+)\.\w+ (?:is|=|<|>|in) (?:not )?{_OPERAND})\))",
        "say which cells it goes through: `{word}({a} through {x} where {test})`",
    ),
    Saying(
        r"\b(?P<mark>(?P<word>line|region)\((?P<a>[\w.]+) (?P<at>where) "
        rf"(?P<test>(?P<x>\w+)\.\w+ (?:is|=|<|>|in) (?:not )?{_OPERAND})\))",
        "say which cells it goes through: `{word}({a} through {x} where {test})`",
    ),
    Saying(
        r"\b(?P<mark>pick\((?P<inner>\w+ in [\w.()]+) (?:(?P<at>with|having|that|who|which)"
        r"(?: has| have)?(?: the)? (?P<end>most|least|highest|lowest|biggest|smallest|fewest)) "
        rf"(?P<key>{_OPERAND})(?P<rest>[^()]*)\))",
        "the order is said with `by`: `pick({inner} by {extreme} {key}{tied})`",
    ),
    Saying(
        r"\b(?P<mark>max|min)\((?P<inner>\w+ in [\w.]+) (?P<at>by) (?:most |least )?"
        r"(?P<rest>[^()]*(?:\([^()]*\)[^()]*)*)\)",
        "the value comes first: `{mark}({rest} for {inner} else 0)`;\n"
        "to get the one that has it, `pick({inner} by most {rest} ties none)`",
    ),
    Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?(?:always )?chooses?) "
        r"(?P<mark>(?P<at>\d+) ?\.\. ?(?P<rest>\S.*))$",
        "what is chosen needs a name: `{who} n in {mark}`",
    ),
    Saying(
        rf"^(?P<what>{_OPERAND}) ?:= ?(?P<mark>random ?(?:of |from )?\(?players\)?)$",
        "give it a name: `{what} := random p in players`",
    ),
    Saying(
        rf"^(?P<what>{_OPERAND}) ?:= ?(?P<mark>random ?\(?(?P<many>[A-Za-z][\w.]*)\)?)$",
        "give it a name: `{what} := random x in {many}`",
    ),
    Saying(
        r"^run (?P<mark>the) (?P<at>\w+)$",
        "leave the article out: `run {at}`",
        "scenario",
    ),
    Saying(
        r"^(?:given )?(?P<mark>(?P<who>P\d+) (?P<at>has|owns|holds) (?P<n>\d+) (?P<name>\w+))$",
        "a position is made with steps: `{who}.{name} := {n}`",
        "scenario",
    ),
    Saying(
        r"^(?:given )?(?P<mark>(?P<who>P\d+) (?P<at>has|owns|holds) (?P<what>[a-z]\w*))$",
        "a position is made with steps: `move {what} to {who}.{held}`",
        "scenario",
    ),
)
