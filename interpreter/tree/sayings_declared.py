"""What people write in declarations, and how it is written here."""

from __future__ import annotations

from interpreter.tree.sayings_values import Saying

_CALLED = r"\w+ ?\([^()]*\)"
_CASES = (
    "a function has cases, each a value and its condition: `2 if p.gold > 3`;\n"
    "the last one is `0 otherwise`"
)

DECLARED = (
    Saying(
        r"^option (?P<name>\w+) ?(?P<mark>(?P<at>:?=) ?(?P<value>\d+))$",
        "say which values may be chosen, and then which it is if nobody chooses:\n"
        "`option {name}: 1..{value} = {value}`",
        "option",
        "`{name}` does not say which values it may have",
    ),
    Saying(
        r"^(?P<enum>enum \w+) ?[:=] ?(?P<mark>\w+(?: ?[|/;] ?\w+)+)$",
        "commas stand between the names: `{enum}: {listed}`",
    ),
    Saying(
        r"^winner ?(?P<mark>(?:is|:|=|by) ?(?:by )?(?P<at>(?P<end>most|least) (?P<rest>\w+\.\w+))"
        r"(?: ties \w+)?)$",
        "name who is looked at, and say what a tie means: `winner p by {end} {rest} ties share`",
        "winner",
    ),
    Saying(
        r"^score (?P<mark>(?P<name>\w+)(?P<at>\.)(?P<rest>\w+))$",
        "name the player first: `score {name}: {name}.{rest}`",
        "score",
    ),
    Saying(
        r"^winner (?P<mark>(?:is|:|=) ?.*)$",
        "say who is looked at, by what, and what a tie means:\n"
        "`winner p by most p.points ties share`",
        "winner",
    ),
    Saying(
        r"^score (?P<name>\w+) (?P<mark>(?P<at>in|of|from) (?:players?|Players?)) ?[:=] ?"
        r"(?P<rest>\S.*)$",
        "the name alone is enough, it is a player: `score {name}: {rest}`",
        "score",
    ),
    Saying(
        r"^score (?P<mark>\w+ (?P<at>in|of|from) (?P<many>[A-Z]\w*)) ?[:=] ?\S.*$",
        "a player has a score, not a {many}; partners get the same one, as in\n"
        "`score p: sum(q.points for q in players where q.team is p.team)`",
        "score",
    ),
    Saying(
        r"^score (?P<name>\w+): ?(?P<mark>\w+(?P<at>:)) ?(?P<rest>\S.*)$",
        "the name alone is enough, it is a player: `score {name}: {rest}`",
        "score",
    ),
    Saying(
        r"^score (?P<mark>(?P<many>[A-Z]\w*) (?P<at>(?P<name>\w+))) ?[:=] ?(?P<rest>\S.*)$",
        "the name alone is enough, it is a player: `score {name}: {rest}`",
        "score",
    ),
    Saying(
        r"^score ?\(?(?P<mark>(?P<at>\()(?P<name>\w+)(?:: ?\w+)?\)) ?[:=] ?(?P<rest>\S.*)$",
        "without brackets: `score {name}: {rest}`",
        "score",
    ),
    Saying(
        r"^score (?P<name>[a-z]\w*) ?(?P<mark>(?P<at>=|is|by)) ?(?P<rest>\S.*)$",
        "a `:` comes after the name: `score {name}: {rest}`",
        "score",
    ),
    Saying(
        r"^score ?(?P<mark>(?P<at>:|=)) ?(?P<rest>.*\b(?P<name>p|q|player|who)\..*)$",
        "give the player it is about a name: `score {name}: {rest}`",
        "score",
        "`score` does not say whose score this is",
    ),
    Saying(
        r"^score ?(?P<mark>(?P<at>:|=)) ?(?P<rest>.*)$",
        "give the player it is about a name: `score p: p.points`",
        "score",
        "`score` does not say whose score this is",
    ),
    Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?): (?P<mark>\d+)(?P<at>)$",
        "say the type, and after `=` where it starts: `{name}: int = {mark}`",
        "the|each",
        "`{mark}` is a number, no type",
    ),
    Saying(
        r"^(?P<name>\w+)\[(?P<mark>\d+)(?P<at>\]).*$",
        "say from where to where: `{name}[1..{mark}]`",
        "the|each|constant|kind|table",
    ),
    Saying(
        r"^(?P<mark>(?:secret|hidden|private)) (?P<at>(?P<name>\w+(?:\[[^\]]*\])?)):(?P<rest>.*)$",
        "the word stands at the end: `{name}:{rest}, secret`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+: hand of \w+)(?P<mark>, ?(?P<at>hidden|private|concealed)).*$",
        "only its owner sees into a hand, so take the word away: `{name}`",
        "the|each",
    ),
    Saying(
        r"^.*, ?(?P<mark>(?P<at>hidden|private|concealed|invisible))\b.*$",
        "write `secret` for a variable, `face down` for a place",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+: [\w. ]+?) "
        r"(?P<mark>(?P<at>per|secret|clamped|holds|refilled|active|face|seen|up)\b.*)$",
        "a comma stands before it: `{name}, {mark}`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<word>stack|row|set|hand|bag|pool) of "
        r"(?P<mark>(?P<at>\d+)) (?P<kind>\w+).*$",
        "how many fit stands at the end: `{name}: {word} of {kind}, up to {mark}`",
        "the|each",
    ),
    Saying(
        r"^(?P<word>game|data|include|clauses)(?P<mark>(?P<at>:)) ?(?P<rest>\".*)$",
        "it has no `:`: write `{word} {rest}`",
    ),
    Saying(
        r"^(?P<word>game|data|include|clauses|scenario):? (?P<mark>(?P<at>(?!has\b)[^\"\s].*))$",
        'put it in quotes: `{word} "{mark}"`',
        "game|data|include|clauses|scenario",
    ),
    Saying(
        r"^players ?(?P<mark>(?P<at>:|=)) ?(?P<rest>\S.*)$", "write `players {rest}` without a sign"
    ),
    Saying(
        r"^board (?P<name>\w+)(?::? ?)(?P<mark>(?:square |hex |grid |rectangle )?(?P<a>\w+?) ?"
        r"(?:x|X|\*|by|×) ?(?P<b>\d\w*))$",
        "say the shape and both sizes: `board {name}: square {a} by {b}`",
    ),
    Saying(
        r"^(?P<enum>enum \w+:? ?)(?P<mark>\w+(?: \w+)+)$",
        "commas stand between the names: `{enum}{listed}`",
    ),
    Saying(
        r"^(?P<enum>enum \w+) ?(?P<mark>(?P<at>=|\{|\(|\[)) ?(?P<rest>[\w, ]+).*$",
        "write `{enum}: {rest}`",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>number)\b(?! of)(?P<rest>.*)$",
        "whole numbers are of the type `int`, or of a range such as `0..20`: `{name}: int{rest}`",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+: [\w. ]+)(?P<mark>, ?(?P<at>\d+))(?P<rest>.*)$",
        "where it starts comes after `=`: `{name} = {at}{rest}`",
        "the|each",
    ),
    Saying(
        r"^modify (?P<what>" + _CALLED + r") ?(?P<mark>(?P<at>by|[-+]=|\+|-) ?(?P<minus>-?) ?"
        r"(?P<by>[^-+ ].*?))(?: when .*)?$",
        "`it` is the value so far: `modify {what} to it {change} {by}`",
    ),
    Saying(
        r"^modify (?P<what>" + _CALLED + r") ?(?P<mark>(?P<at>:=|=|as|is)) ?"
        r"(?P<value>\S.*?)(?: when .*)?$",
        "the new value comes after `to`: `modify {what} to {value}`",
    ),
    Saying(
        r"^modify (?P<what>\w+) (?P<mark>(?P<at>to|by|when))\b.*",
        "name in brackets what the quantity is about, as its declaration does:\n"
        "`modify {what}(p) to it - 1`",
    ),
    Saying(
        r"^(?P<mark>when|whenever|on|if|upon) (?P<what>" + _CALLED + r").*",
        "say at which moment: `after {what}`, `before {what}` or `instead of {what}`",
        "ability",
    ),
    Saying(
        r"^(?P<word>after|before|instead of|may instead of) (?P<what>" + _CALLED + r") "
        r"(?P<mark>(?P<at>if)) (?P<test>.+)",
        "the condition comes after `when`: `{word} {what} when {test}`",
    ),
    Saying(
        r"^(?P<word>action|ability) (?P<name>\w+)(?P<mark>\((?P<at>\))).*",
        "nothing is settled in these brackets; leave them out: `{word} {name}`",
    ),
    Saying(
        r"^(?P<word>phase \w+|setup|play|ability \w+)(?P<mark>(?P<at>\()\)).*",
        "it is given no values, so it has no brackets: `{word}`",
    ),
    Saying(
        r"^phase (?P<name>\w+)(?P<mark>(?P<at>\()[^)]+\)).*",
        "a phase is given no values, but a procedure is: `procedure {name}{mark}`",
    ),
    Saying(
        r"^(?P<option>\w+)(?P<mark>\((?P<at>\))).*",
        "nothing is settled in these brackets; leave them out: `{option}`",
    ),
    Saying(
        r"^action (?P<name>\w+) (?P<mark>(?P<at>\w+) in [^\" ]+(?: where [^\"]*[^\" ])?).*",
        "what is settled stands in brackets: `action {name}({mark})`",
    ),
    Saying(
        r"^(?P<word>event|procedure) (?P<mark>\w+)$",
        "what it is given stands in brackets, even if it is nothing: `{word} {mark}()`",
        message="`{mark}` does not say what it is given",
    ),
    Saying(
        r"^(?:function|procedure|event|quantity) \w+\((?:.*?, ?)??(?P<mark>\w+)(?P<at>[,)]).*",
        "say what it is: `{mark}: Player`, `{mark}: int`, or another type",
        message="`{mark}` has no type",
    ),
    Saying(
        r"^(?:function|procedure|event|quantity) \w+\((?:.*, ?)?"
        r"(?P<mark>(?P<type>\w+) (?P<at>(?!in\b)\w+))\b.*",
        "the name comes first, then its type: `{at}: {type}`",
    ),
    Saying(
        r"^(?P<mark>(?P<what>players|[\w\[\], .]+:) ?(?P<low>\d+) ?(?:-|–|to) ?(?P<high>\d+))\b.*",
        "a range has two points between its ends: `{what} {low}..{high}`",
    ),
    Saying(
        r"^(?P<mark>(?P<words>\w+ has|players? have|(?:the )?players? has|every \w+ has))$",
        "write `each player has` or `the game has`",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>(?:[Dd]eck|[Pp]ile|[Dd]raw [Pp]ile) (?P<at>of) "
        r"(?P<kind>\w+)).*",
        "a pile that nobody sees into is a `stack`: `{name}: stack of {kind}`;\n"
        "one that lies open is a `row`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>(?:[Dd]iscards?|[Dd]iscard [Pp]ile|[Tt]ableau|[Ll]ist|"
        r"[Qq]ueue|[Dd]isplay|[Mm]arket) (?P<at>of) (?P<kind>\w+)).*",
        "pieces that lie open are a `row`: `{name}: row of {kind}`",
        "the|each",
    ),
    Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>(?P<word>[A-Za-z]\w*) (?P<at>of) (?P<kind>\w+)).*",
        "a place is a `stack`, `row`, `set`, `hand`, `slot`, `bag` or `pool`, written small:\n"
        "`hand of {kind}`",
        "the|each",
    ),
    Saying(
        r"^(?P<mark>(?P<type>int|bool|Player|\d+\.\.\d+) (?P<at>(?P<name>\w+)))\b.*",
        "the name comes first, then its type: `{name}: {type}`",
        "the|each|kind|table",
    ),
    Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?) (?P<mark>(?P<at>[\w\"-]+).*)$",
        "a `:` comes after the name: `{name}: {mark}`",
        "the|each|kind|table",
    ),
    Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?) (?P<mark>(?P<at>=) ?(?P<value>\d+))$",
        "say the type first, then where it starts: `{name}: int = {value}`",
        "the|each",
    ),
    Saying(
        r"^(?P<mark>return) (?P<value>\S.*)$",
        "write the value as the last case: `{value} otherwise`",
        "function",
    ),
    Saying(r"^(?P<mark>if|else|return)\b.*", _CASES, "function"),
    Saying(
        r"^function \w+.*(?P<mark>=(?P<at>))$",
        "put the value on this line, behind the `=`; a long one may go on in further lines\n"
        "inside of brackets",
        "function",
        "the value of the function is missing",
    ),
    Saying(
        r"^(?P<value>(?!let\b)[^\s].*?) ?(?P<mark>(?P<at>else|$))$",
        "every case but the last has a condition, `{value} if ...`; the last one is\n"
        "`{value} otherwise`",
        "function",
        "this case does not say when it holds",
    ),
)
