"""What people say of values in rulebooks and other languages, and in scenarios."""

from __future__ import annotations

from interpreter.frozen import frozen
from interpreter.tree.foreign import ROLL


@frozen
class Saying:
    """A line as a pattern, and the help, which may use its groups. The group `at`, if there is
    one, is where reading must have stopped; otherwise it may have stopped anywhere in it. The
    group `mark`, if there is one, is underlined instead of the whole. With `under`, the
    declaration must begin with one of these words."""

    pattern: str
    help: str
    under: str = ""
    message: str = ""  # what the help says first, if it is not said


_OPERAND = r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?"

VALUES = (
    Saying(
        r"\bline\((?P<mark>(?P<cell>[\w.]+))(?P<at>\))",
        "say which cells the line goes through: `{cell} through x where x.mark is me`",
        message="it is not said which cells belong to the line",
    ),
    Saying(
        r"(?P<mark>(?P<n>\d+) in a (?P<at>row|line))\b",
        "the longest line through a cell `c` is measured:\n"
        "`line(c through x where x.mark is me) >= {n}`",
    ),
    Saying(
        r"\b(?P<word>sum|min|max|count|any|every|pick)\((?P<inner>.*? in (?P<many>[\w.]+)) "
        r"(?P<mark>(?P<at>if)) (?P<test>[^()]*(?:\([^()]*\)[^()]*)*?)\)",
        "what is left out is said with `where`: `{word}({inner} where {test})`",
    ),
    Saying(
        r"\bpick\((?P<mark>players) (?P<at>by|where)(?P<rest> .*)\)",
        "give each of them a name: `pick(p in players {at}{rest})`",
    ),
    Saying(
        r"^(?P<what>[\w.]+) ?(?P<sign>[-+:]=) ?(?P<mark>(?:roll|throw) (?P<at>(?P<die>[\w.]+)))$",
        "first `roll {die}`; on the next line, `{what} {sign} {die}`",
    ),
    Saying(
        r"(?P<mark>(?P<n>\d+)?[dD](?P<faces>\d+))\b",
        "a die is a variable with a range: declare `die: 1..{faces}` under `the game has`,\n"
        "write `roll die`, and then `die` is what it shows",
    ),
    Saying(
        r"^(?P<what>[\w.]+) ?(?P<sign>[-+:]=) ?(?P<mark>random (?P<at>\w+) ?\.\. ?(?P<high>\w+))$",
        "give it a name: `let n = random x in {at}..{high}`, and then `{what} {sign} n`",
    ),
    Saying(
        r"^roll (?P<die>[\w.]+) (?P<mark>(?P<at>\d+)(?: times)?)$",
        "each throw is a step: `repeat {at} times`, and indented under it `roll {die}`;\n"
        "several dice are declared as `dice[1..{at}]: 1..6`",
    ),
    Saying(
        r"(?P<x>[\w.]+) (?P<mark>(?:is )?in (?P<list>\w+(?P<at>,) ?\w+(?:, ?\w+)*))",
        "several values stand in brackets: `{x} in ({list})`",
    ),
    Saying(
        r"(?P<x>[\w.]+) (?P<mark>(?:is )?(?P<at>between) (?P<low>[\w.]+) (?:and|to) "
        r"(?P<high>[\w.]+))",
        "write `{x} in {low}..{high}`",
    ),
    Saying(
        r"^(?P<what>(?:let )?[\w.]+) ?:?= ?(?P<mark>(?:(?P<who>[\w.]+) )?(?P<at0>choose[sn]?)"
        r"(?: (?:from|in))? ?(?P<many>[\w.]+)?.*)$",
        "what is chosen gets its name there: `{asked} chooses {bare} in {many}`",
    ),
    Saying(
        r"\bin (?P<mark>(?P<at>[\[{])(?P<listed>[^\[\]{}]*)[\]}])",
        "values stand in round brackets, at least two of them: `in ({listed})`",
    ),
    Saying(
        r"\bin (?P<mark>(?P<first>\w+), ?(?P<at>\d+)(?P<rest>(?:, ?\w+)*))",
        "several values stand in brackets: `in ({mark})`",
    ),
    Saying(
        r"(?P<x>[\w.]+) (?P<mark>(?P<sign><|>|!) (?P<at>=)) ?(?P<y>[\w.]+)",
        "write `{sign}=` without a space: `{x} {sign}= {y}`",
    ),
    Saying(
        r"\b(?P<word>if|when|while|until|and|or|where) (?P<mark>no (?P<at>(?P<x>[\w.]+)))",
        "ask whether it is 0, `{word} {x} = 0`; of a place,\n`{word} number of {x} = 0`; "
        "of what may be none, `{word} {x} is none`",
    ),
    Saying(
        r"\b(?P<mark>(?P<op>and|or|not|is|is not|in|div|mod|[-+*<>]|[<>!]=|=))(?P<at>)$",
        "write what it is compared or joined with, on the same line",
        message="something is missing after `{mark}`",
    ),
    Saying(
        r"^(?P<word>if|else if|repeat while|repeat until|when)(?P<at>)$",
        "write the condition on the same line: `{word} ...`",
        message="`{word}` has no condition",
    ),
    Saying(
        r"^(?P<head>(?:.* )?when) (?P<test>(?!.* else ).+?) ?(?P<mark>(?P<at>if|unless|when) "
        r"(?P<more>.+))$",
        "a condition has no `{at}`; join the two: `{head} {both}`",
    ),
    Saying(
        r"^(?P<head>(?:else )?if|repeat while|repeat until) (?P<test>(?!.* else ).+?) ?"
        r"(?P<mark>(?P<at>if|unless|when) (?P<more>.+))$",
        "a condition has no `{at}`; join the two: `{head} {both}`",
    ),
    Saying(
        r"(?P<text>\"[^\"]*)\" ?(?P<mark>(?P<at>[+,&]) ?(?P<value>[\w.]+(?:\([^()]*\))?))$",
        'values stand in braces inside the text: `{text}{{{value}}}"`',
    ),
    Saying(
        r"(?P<x>[\w.]+) (?:<=|>=|!=|<|>|=) \w+ (?P<mark>(?P<join>and|or) (?P<at><=|>=|!=|<|>|=)) ?"
        r"(?P<y>[\w.]+)",
        "say again what is compared: `{join} {x} {at} {y}`",
    ),
    Saying(
        r"^let (?P<name>\w+)(?P<mark>(?P<at>:) ?[\w. ]+?) ?=(?P<value>.*)",
        "the type follows from the value: `let {name} ={value}`",
    ),
    Saying(
        r"^(?P<mark>int|bool|var|const|string|number|float|def|my|local) "
        r"(?P<name>[A-Za-z_]\w*) ?(?::=|=)(?P<value>.*)",
        "a name for a value is made with `let {name} ={value}`",
    ),
    Saying(
        r"\bevery\((?P<x>\w+) in (?P<many>.+?) (?P<mark>where) (?P<test>.+?)(?P<at>\))(?!.*\))",
        "after `has` comes what all of them must satisfy:\n`every({x} in {many} has {test})`",
    ),
    Saying(
        r"\bevery\((?P<x>\w+) in (?P<many>.+?) (?P<mark>(?P<at>is|satisfies|with|if))\b.*",
        "after `has` comes what all of them must satisfy:\n`every({x} in {many} has ...)`",
    ),
    Saying(
        r"\b(?P<word>any|count)\((?P<x>\w+) in (?P<many>[^()]+?(?:\([^()]*\))?) "
        r"(?P<mark>(?P<at>has|if|with|when|for)) (?P<test>.+?)\)(?!.*\))",
        "after `where` comes what is looked for:\n`{word}({x} in {many} where {test})`",
    ),
    Saying(
        r"\b(?:any|every|count|sum|max|min|pick)\((?P<x>\w+) (?P<mark>(?P<at>of|from)) "
        r"(?P<many>[\w.]+).*",
        "after `in` comes what it goes through: `{x} in {many}`",
    ),
    Saying(
        r"(?<=[=(, ])(?P<value>[^=:(, ][^=:(,]*) (?P<at>if) (?P<test>\S.*) else (?P<other>[^,)]+)",
        "a value with a condition stands in brackets: `({value} if {test} else {other})`",
    ),
    Saying(
        r"\(?\bif (?P<test>.+) then (?P<value>.+) else (?P<other>[^)]+)\)?",
        "a value that depends on a condition: `({value} if {test} else {other})`",
    ),
    Saying(
        rf"^(?P<what>{_OPERAND}) ?:= ?(?P<mark>(?:rand(?:om|int)?|roll|throw|dice) ?\(.*)$",
        "to throw it, write `roll {what}`; for other numbers, `{what} := random n in 1..6`",
    ),
    Saying(r"\brandom ?\(.*", ROLL),
    Saying(
        r"\brandom (?P<at>\w+) in \S.*",
        "`random` comes only after the sign that gives something its value:\n"
        "`x := random n in 1..6`, `let x = random n in 1..6`",
    ),
    Saying(
        r"(?P<x>[\w.]+) (?P<mark>(?P<at>is|are|isn't|isnt) (?:empty|not empty))\b",
        "ask how many there are: `number of {x} = 0`; of a slot, `{x} is none`",
    ),
    Saying(r"(?P<x>[\w.]+) (?P<mark>is (?P<at>in)) (?P<y>[\w.]+)", "write `{x} in {y}`"),
    Saying(r"(?P<x>[\w.]+) (?P<mark>(?P<at>not) in) (?P<y>[\w.]+)", "write `not {x} in {y}`"),
    Saying(rf"(?P<x>{_OPERAND}) (?P<mark>(?P<at>not)) (?P<y>{_OPERAND})", "write `{x} is not {y}`"),
    Saying(
        rf"(?P<x>{_OPERAND}) (?P<mark>(?P<at>isnt|isNot|aint)) (?P<y>{_OPERAND})",
        "write `{x} is not {y}`",
    ),
    Saying(
        r"^(?P<verb>draw|move) (?P<mark>(?:at )?(?P<at>most)) (?P<rest>.*)$",
        "write `{verb} up to {rest}`",
    ),
    Saying(
        rf"\b(?P<mark>(?P<at>most|least)) (?P<key>{_OPERAND})",
        "`by` is missing before it: `by {mark} {key}`",
        message="`{mark}` cannot follow this",
    ),
    Saying(
        rf"\bby (?P<mark>(?P<at>highest|largest|biggest|greatest|maximum|max)) (?P<key>{_OPERAND})",
        "write `by most {key}`",
    ),
    Saying(
        rf"\bby (?P<mark>(?P<at>lowest|smallest|fewest|minimum|min)) (?P<key>{_OPERAND})",
        "write `by least {key}`",
    ),
    Saying(
        r"\bby (?P<mark>(?P<at>(?!most\b|least\b)[A-Za-z])[\w.]*(?:\([^()]*\)|\[[^\[\]]*\])?)",
        "say which end comes first: `by most {mark}` or `by least {mark}`",
        message="`by {mark}` does not say whether most or least comes first",
    ),
    Saying(r"(?P<x>[\w.]+) (?P<mark>(?P<at>equals|equal to)) (?P<y>[\w.]+)", "write `{x} = {y}`"),
    Saying(
        r"(?P<x>[\w.]+) (?P<mark>is (?P<at>at) (?P<how>least|most)) (?P<y>[\w.]+)",
        'write `{x} >= {y}` for "at least" and `{x} <= {y}` for "at most"',
    ),
    Saying(
        r"\bin (?P<low>\w+) (?P<mark>(?P<at>to|until|through)) (?P<high>\w+)\b",
        "a range has two points between its ends: `{low}..{high}`",
    ),
)

ASKED = (
    Saying(
        r"^then (?P<who>\w+) (?P<mark>(?P<at>can ?not|(?:could|must|should) not) see) "
        r"(?P<what>\w.*)$",
        "write `then {who} does not see {what}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<who>\w+) (?P<mark>may not see) (?P<at>(?P<what>\w.*))$",
        "write `then {who} does not see {what}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<place>(?:P\d+\.)?[a-z]\w*) (?P<mark>(?P<at>has|holds|contains)) (?P<what>\w+)$",
        "ask whether it lies there: `then {what} in {place}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<mark>P\d+(?:,? and P\d+|, ?P\d+)+) (?P<at>(?P<word>choose|win|lose)s?)$",
        "commas stand between the players: `then {seats} {word}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<mark>says?) (?P<at>(?P<text>\"[^\"]*\"))$",
        "write `then said {text}`",
        "scenario",
    ),
    Saying(
        r"^(?P<when>(?:when )?draw) (?P<mark>\"?(?P<what>\w[\w ]*?)\"? (?P<at>from) [\w.]+)$",
        'say only what comes: `{when} "{what}"`',
        "scenario|steps",
    ),
    Saying(
        r"^(?P<mark>(?P<at>roll|draw) [\w\", ]+)$",
        "what chance brings comes after `when`: `when {mark}`",
        "scenario",
    ),
    Saying(
        r"^(?P<mark>with (?P<at>(?P<n>\d+)) players?)$",
        "write `players {n}`",
        "scenario",
    ),
    Saying(
        r"^(?P<given>(?:given )?)(?P<what>[\w.]+(?:\[[^\]]*\])?) (?P<mark>(?P<at>is)) "
        r"(?P<value>\S.*)$",
        "a position is made with `:=`: `{given}{what} := {value}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<who>P\d+) (?P<mark>(?P<at>has|owns|holds) "
        r"(?P<n>\d+) (?:cards?|pieces?|tiles?))$",
        "ask how many lie in a place: `then number of {who}.hand = {n}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<who>P\d+) (?P<mark>(?P<at>has|owns|holds) (?P<n>\d+) (?P<name>\w+))$",
        "what somebody has comes after a dot: `then {who}.{name} = {n}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<who>P\d+) (?P<may>may(?: not| only)?) (?P<mark>(?P<name>(?!choose\b)\w+) "
        r"(?P<at>(?!or\b)[\w\"])[^()]*?)$",
        "what is chosen stands in brackets: `then {who} {may} {bracketed}`",
        "scenario",
    ),
    Saying(
        r"^then (?P<who>P\d+) (?P<mark>(?P<at>[a-z]\w*)) (?P<rest>(?:[!<>]?=|<|>|is) \S.*)$",
        "what somebody has comes after a dot: `then {who}.{mark} {rest}`",
    ),
    Saying(
        r"^then (?P<who>\w+) (?P<mark>(?P<at>can|could|may|should) see) (?P<what>\w.*)",
        "write `then {who} sees {what}`",
    ),
    Saying(
        r"^(?P<mark>(?P<at>expect|assert|check|verify|expects|result)) (?P<rest>\S.*)$",
        "what must hold comes after `then`: `then {rest}`",
        "scenario",
    ),
    Saying(
        r"^(?P<who>P\d+) ?(?P<mark>(?P<at>:|=|->)) ?(?P<value>\S.*)$",
        "a value is answered with `{who} chooses {value}`, an option with its name: `{who} take`",
        "scenario|steps",
    ),
    Saying(
        r"^(?P<mark>(?P<at>P\d+) .*)$",
        "what somebody does comes after `when`: `when {mark}`",
        "scenario",
    ),
    Saying(
        r"^run (?P<mark>phase|procedure) (?P<at>\w+)(?P<rest>.*)$",
        "write it by its name alone: `run {at}{rest}`",
    ),
    Saying(
        r"^then (?P<who>\w+) (?P<at>can ?not|(?:could|must|should) not) (?P<what>\w.*)",
        "write `then {who} may not {what}`",
    ),
    Saying(
        r"^then (?P<who>\w+) (?P<at>can|could|must|should|has to) (?P<what>\w.*)",
        "write `then {who} may {what}`, or `may only` if there is no other option",
    ),
    Saying(
        r"^then (?P<who>\w+) (?P<at>(?P<what>pass\b|\w+\(.*))",
        "what can be chosen is told with `may`: `then {who} may {what}`;\n"
        "what is done, with `when`: `when {who} {what}`",
    ),
)
