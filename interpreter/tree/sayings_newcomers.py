"""Declarations as somebody writes them who has seen other languages, or only games."""

from __future__ import annotations

from interpreter.tree.sayings_values import Saying

_NAMED = r"(?P<name>[A-Za-z_]\w*)"

NEWCOMERS = (
    Saying(
        r"^(?P<mark>each (?P<who>\w+))(?P<at>)$",
        "write `each {who} has`, and indented under it what each of them has",
        "each",
        "`has` is missing here",
    ),
    Saying(
        r"^(?P<name>[a-z]\w*) ?(?P<mark>(?P<at>=)) ?(?P<value>yes|no)\b(?P<rest>.*)$",
        "say the type, and after `=` where it starts: `{name}: bool = {value}{rest}`",
        "the|each|kind|table",
        "`{name}` has no type",
    ),
    Saying(
        r"^winner (?P<first>.*?) (?P<mark>(?P<at>then|and)) (?P<rest>(?:most|least)\b.*)$",
        "a comma stands between what counts first and what next: `winner {first}, {rest}`",
        "winner",
    ),
    Saying(
        r"^group (?P<name>\w+) = (?P<mark>(?P<many>[\w.]+)) (?P<at>where) (?P<test>\S.*)$",
        "give each of them a name: `group {name} = x in {many} where {of_each}`",
        "group",
        "what is in the group has no name",
    ),
    Saying(
        r"^board (?P<name>\w+): ?(?P<mark>(?P<word>square|hex) (?P<n>\w+))(?P<at>)$",
        "say both sizes: `board {name}: {word} {n} by {n}`",
        "board",
    ),
    Saying(
        r"^board(?P<mark>(?P<at>:)) ?(?P<rest>\S.*)$",
        "give the board a name: `board Grid: {rest}`",
        "board",
        "this board has no name",
    ),
    Saying(
        r"^board (?P<name>\w+): ?(?P<mark>(?P<word>square|hex) ?\((?P<a>\w+)"
        r"(?P<at>,) ?(?P<b>\w+)\))$",
        "write `board {name}: {word} {a} by {b}`",
        "board",
    ),
    Saying(
        r"^board (?P<name>\w+) ?(?P<mark>(?P<at>=)) ?(?P<rest>\S.*)$",
        "a `:` comes after the name: `board {name}: {rest}`",
        "board",
    ),
    Saying(
        r"^each (?P<mark>(?P<a>\w+) (?P<at>in|of) (?P<many>\w+)) has$",
        "the type is enough: `each {many} has`",
        "each",
    ),
    Saying(
        r"^winner (?P<name>\w+)(?P<mark>(?P<at>:|=)) ?(?:most |least )?(?P<rest>\S.*)$",
        "say which end wins, and what a tie means: `winner {name} by most {rest} ties share`",
        "winner",
    ),
    Saying(
        r"^winner (?P<mark>(?P<end>most|least) (?P<at>(?P<rest>\w+)))$",
        "give each player a name: `winner p by {end} p.{rest} ties share`",
        "winner",
    ),
    Saying(
        r"^(?P<word>after|before|instead of) (?P<mark>(?P<who>\w+) (?P<at>"
        r"(?P<name>(?!when\b|if\b)\w+)))\b(?P<rest>.*)$",
        "an event is written like a call: `{word} {name}({values}){rest}`",
        "ability",
    ),
    Saying(
        r"^(?P<word>after|before|instead of) (?P<mark>(?P<name>\w+)) (?P<at>when) (?P<rest>.*)$",
        "name in brackets what the event is given: `{word} {name}(p) when {rest}`",
        "ability",
    ),
    Saying(
        r"^ability (?P<mark>of|for) (?P<at>(?P<name>\w+))$",
        "an ability has a name of its own, which the data gives to pieces: `ability {name}`",
        "ability",
    ),
    Saying(
        r"^action \w+\((?P<x>\w+) in (?P<mark>(?P<list>[a-z]\w*(?:, ?[a-z]\w*)+))(?P<at>\)).*",
        "several values stand in brackets: `{x} in ({list})`",
        "action",
    ),
    Saying(
        r"^(?P<word>phase|procedure|event|function|ability) (?P<mark>(?P<at>\")"
        r"(?P<text>[^\"]*)\").*$",
        "a name has no quotes: `{word} {joined_name}`",
    ),
    Saying(
        r"^(?P<head>(?:function|quantity) \w+\([^()]*\))(?P<mark>(?P<colon>:)) ?"
        r"(?P<value>(?P<typed>[\w]+)?(?P<at>\S).*)$",
        "the value comes after `=`: `{head} = {value}`",
        "function|quantity",
    ),
    Saying(
        r"^(?P<head>quantity \w+\([^()]*\))(?P<mark>(?P<at>:)) ?(?P<value>\S.*)$",
        "the value comes after `=`: `{head} = {value}`",
        "quantity",
    ),
    Saying(
        r"^(?P<mark>quantity \w+\([^()]*\))(?P<at>)$",
        "the value stands on the same line: `{mark} = ...`",
        "quantity",
        "the value of this quantity is not said",
    ),
    Saying(
        r"^(?P<head>(?:kind|table|board|constant) .*\bfrom) (?P<mark>(?P<at>\")"
        r"(?P<name>[\w.]+)\").*$",
        "a table of the data is named without quotes: `{head} {name}`",
    ),
    Saying(
        r"^(?P<mark>(?P<name>[a-z]\w*))(?P<at>)$",
        "say its type: `{name}: int`, `{name}: bool`, or another one",
        "the|each|kind|table",
        "`{name}` has no type",
    ),
    Saying(
        r"^(?P<name>\w+): (?P<mark>(?P<list>[a-z]\w*, ?(?P<at>[a-z]\w*)(?:, ?\w+)*))$",
        "make a type of these words, `enum {Name}: {list}`, and write `{name}: {Name}` here",
        "kind|table",
    ),
    Saying(
        r"^enum (?P<name>\w+) ?:? ?(?P<mark>(?P<at>\").*)$",
        "names have no quotes: `enum {name}: {words}`",
        "enum",
    ),
    Saying(
        r"^constant (?P<name>\w+)(?P<mark>(?P<at>\()(?P<index>[\w, .]+)\))(?P<rest>.*)$",
        "an index stands in square brackets: `constant {name}[{index}]{rest}`",
        "constant",
    ),
    Saying(
        r"^constant (?P<name>\w+)(?P<index>\[.*\])? ?= ?(?P<mark>from (?P<at>(?P<path>[\w.]+)))$",
        "say the type: `constant {name}: int from {path}`",
        "constant",
    ),
    Saying(
        r"^option (?P<name>\w+): ?(?P<mark>(?:int|number|integer)) ?= ?(?P<value>\d+)(?P<at>)$",
        "say which values may be chosen: `option {name}: 1..{value} = {value}`",
        "option",
    ),
    Saying(
        r"^option (?P<name>\w+): ?(?P<mark>(?P<value>\d+))(?P<at>)$",
        "say which values may be chosen, and then which it is if nobody chooses:\n"
        "`option {name}: 1..{value} = {value}`",
        "option",
        "`{name}` does not say which values it may have",
    ),
    Saying(
        r"^option (?P<name>\w+): ?(?P<mark>(?P<low>\d+) ?\.\. ?(?P<high>\d+))(?P<at>)$",
        "say which it is if nobody chooses: `option {name}: {low}..{high} = {low}`",
        "option",
        "`{name}` does not say which value it has if nobody chooses",
    ),
    Saying(
        r"^option (?P<name>\w+): ?(?P<mark>(?P<low>[A-Za-z]\w*)(?:, ?\w+)*)(?P<at>)$",
        "say which it is if nobody chooses: `option {name}: {mark} = {low}`",
        "option",
        "`{name}` does not say which value it has if nobody chooses",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+: \w+ of \w+), ?"
        r"(?P<mark>(?P<at>all|full|contains|filled|complete|everything|starts|has)\b.*)$",
        "what lies in it at the start is said with `holds all`: `{name}, holds all`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+: \w+ of) (?P<mark>(?:all|every) (?P<at>"
        r"(?P<kind>\w+)))(?P<rest>.*)$",
        "what lies in it at the start is said at the end: `{name} {kind}, holds all{rest}`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+: \w+ of \w+), ?"
        r"(?P<mark>(?P<at>max|maximum|limit|at most|size|capacity) ?(?:of |= ?|: ?)?(?P<n>\d+)).*$",
        "how many fit is said with `up to`: `{name}, up to {n}`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>\w+): (?P<mark>(?P<kind>[A-Z]\w*) ?\[(?P<n>\d*)\])(?P<at>).*$",
        "pieces lie in a place: `{name}: hand of {kind}`, or a `row`, `set` or `stack`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>\w+): (?P<mark>(?P<word>\w+)(?P<at><|\[|\() ?(?P<kind>[A-Z]\w*) ?[>\])]).*$",
        "write `{name}: {placed} of {kind}`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>(?P<word>secret|hidden|private)) "
        r"(?P<at>(?P<type>[\w.]+))(?P<rest>.*)$",
        "the word stands at the end: `{name}: {type}{rest}, secret`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>int ?(?P<at>>=|>) ?(?P<low>-?\d+)).*$",
        "write a range that is wide enough: `{name}: {low}..999`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>(?P<low>\d+) ?\+)(?P<at>)$",
        "write a range that is wide enough: `{name}: {low}..999`",
        "the|each",
    ),
    Saying(
        r"^each (?P<who>\w+) (?P<mark>(?P<at>have|gets|owns|holds|contains|with|:))\b:?$",
        "write `each {who} has`",
        "each",
    ),
    Saying(
        r"^each (?P<who>\w+)(?P<mark>(?P<at>:))$",
        "write `each {who} has`",
        "each",
    ),
    Saying(
        r"^players (?P<mark>(?P<at>(?P<digit>one|two|three|four|five|six|seven|eight)))\b.*$",
        "write the number in digits: `players {digits}`",
        "players",
    ),
    Saying(
        r"^players (?P<low>\d+)(?P<mark>(?P<at>,| or| and).*?(?P<high>\d+))$",
        "a range has two points between its ends: `players {low}..{high}`",
        "players",
    ),
    Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?): "
        r"(?P<mark>int ?[\[(] ?(?P<low>-?\d+) ?(?:,|\.\.|-|to) ?(?P<high>\d+) ?[\])])(?P<rest>.*)$",
        "a range is written with two points: `{name}: {low}..{high}{rest}`",
        "the|each|kind|table",
    ),
    Saying(
        r"^(?P<mark>(?:let|var|const|set|number|int|local|my) (?P<at>" + _NAMED + r")) ?:?= ?"
        r"(?P<value>-?\d+)(?P<rest>.*)$",
        "say the type, and after `=` where it starts: `{name}: int = {value}{rest}`",
        "the|each",
    ),
    Saying(
        r"^(?P<mark>(?:let|var|const|set|number|int|local|my) (?P<at>" + _NAMED + r"))"
        r"(?P<rest>(?:\[[^\]]*\])?:.*)$",
        "the name comes first: `{name}{rest}`",
        "the|each|kind|table",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+: [\w. ]+?) (?P<mark>(?P<at>defaults?|start(?:s|ing)?|initially|"
        r"initial|begin(?:s|ning)?|init)(?: (?:at|with|value|to|is|=|:))? ?(?P<value>-?\w+))"
        r"(?P<rest>.*)$",
        "where it starts comes after `=`: `{name} = {value}{rest}`",
        "the|each|kind|table|option",
    ),
    Saying(
        r"^the (?P<mark>(?P<at>(?!game\b)\w+) (?:has|have))\b:?$",
        "write `the game has`; for what every player has, `each player has`",
        "the",
    ),
    Saying(
        r"^(?P<mark>game (?P<at>has|have)):?$",
        "write `the game has`",
    ),
    Saying(
        r"^(?P<head>action \w+\(.*\)|action \w+)(?P<mark>(?P<at>:)) ?(?P<text>\".*)$",
        "it has no `:`: write `{head} {text}`",
        "action",
    ),
    Saying(
        r"^action (?P<mark>(?P<at>\")(?P<text>[^\"]*)\") ?(?P<rest>\(.*\))?$",
        'the name comes first, and the text last: `action {joined_name}{brackets} "{text}"`',
        "action",
    ),
    Saying(
        r"(?:^action \w+|^\w+)\((?:.*, ?)?(?P<mark>(?P<name>[a-z]\w*))(?P<at>\)).*",
        "say what it is chosen from: `{name} in 1..3`, `{name} in me.hand`, or another domain",
        "action",
        "it is not said what `{name}` is chosen from",
    ),
    Saying(
        r"^action \w+\((?P<mark>(?P<at>\d+) ?\.\. ?\w+)\).*",
        "give what is chosen a name: `n in {mark}`",
        "action",
        "what is chosen here has no name",
    ),
)
