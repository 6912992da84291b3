"""What people say in rulebooks and in other languages, and how it is said here.

`WORDS` stand for one word of this language. `NAMES` are names that nothing has, but that somebody
who writes them surely means something by. Whole lines are in sayings.py.
"""

from __future__ import annotations

WORDS = {
    "elif": "else if",
    "elseif": "else if",
    "elsif": "else if",
    "foreach": "for each",
    "while": "repeat while",
    "until": "repeat until",
    "loop": "repeat",
    "unless": "if not",
    "var": "let",
    "print": "say",
    "default": "otherwise",
    "case": "if",
    "into": "to",
    "onto": "to",
}

TURN_ENDS = (
    "a turn ends by itself after its last step; early, `skip` ends it right inside `turns`;\n"
    "in an action or another loop, make the turn a `procedure takeTurn(p: Player)`\n"
    "and write `leave takeTurn`"
)
NO_RETURN = (
    "a function gives its value after `=`, or by cases such as `2 if rich` and `0 otherwise`;\n"
    "steps end early with `stop` for a loop and `leave name` for a phase or procedure"
)
_ME = "`me` is the player whose turn or choice it is"
_NONE = "what is absent is called `none`: `if x is none`"
DRAWN = "a game without a winner ends with `nobody wins`; `end game` lets `score` decide"
LOST = "write who loses: `me loses`; all the others win then"
_TRUE = "write `yes`, or just ask the condition itself: `if flag`"
_FALSE = "write `no`, or turn the condition round: `if not flag`"
_EMPTY = (
    "a slot or a variable that holds nothing `is none`;\nof other places ask `number of deck = 0`"
)
_HOW_MANY = "how many there are is asked with `number of deck`"
_AVERAGE = "divide the sum: `sum(p.gold for p in players) div playerCount`"
_OTHER = "with two players, `next(me)` is the other one"
_PLAYERS = "how many play is called `playerCount`"
ROLL = "`roll x` gives `x` a random value of its range, `x := random n in 1..6` one of some"

PLAYERS = ("self", "this", "player", "currentPlayer", "activePlayer", "Me", "I", "you")
NAMES = {
    "bool": "a choice between yes and no is two options, or one of an `enum` with two names",
    **dict.fromkeys(("true", "True", "TRUE"), _TRUE),
    **dict.fromkeys(("false", "False", "FALSE"), _FALSE),
    **dict.fromkeys(("null", "nil", "nothing", "None", "NULL", "undefined", "noone"), _NONE),
    "turns": "the players take turns under `turns`, which stands alone on its line",
    "nobody": "who is absent is called `none`: `x := none`, `if x is none`",
    **dict.fromkeys(("empty", "isEmpty"), _EMPTY),
    **dict.fromkeys(PLAYERS, _ME),
    "opponent": _OTHER,
    **dict.fromkeys(
        ("neighbors", "neighbor", "neighbour", "adjacentCells"),
        "the cells beside a cell are `neighbours(c)`, with the diagonal ones `adjacent(c)`",
    ),
    **dict.fromkeys(("roll", "throw", "rollDie", "rollDice"), ROLL),
    **dict.fromkeys(("random", "rand", "randint", "randomInt"), ROLL),
    "break": "`stop` ends the innermost loop, `leave name` another one",
    "continue": "`skip` goes on to the next pass of the loop",
    "return": NO_RETURN,
    "pass": "do nothing by writing nothing; `me may choose ...` lets somebody pass",
    **dict.fromkeys(("endTurn", "nextTurn", "nextPlayer"), TURN_ENDS),
    **dict.fromkeys(("endGame", "gameOver", "quit", "exit"), "write `end game`"),
    **dict.fromkeys(("tie", "tied", "drawn", "stalemate", "drawGame"), DRAWN),
    "draw": f"`draw 1 from deck to me.hand` takes a card; {DRAWN}",
    **dict.fromkeys(("lose", "loses"), LOST),
    **dict.fromkeys(("win", "wins", "winner", "victory"), "say who wins: `me wins`"),
    **dict.fromkeys(("numPlayers", "numberOfPlayers", "nPlayers", "playersCount"), _PLAYERS),
    **dict.fromkeys(("len", "length", "size"), _HOW_MANY),
    "floor": "`div` rounds down: `a div b`",
    **dict.fromkeys(("ceil", "ceiling"), "`divUp` rounds up: `a divUp b`"),
    "sqrt": "there are no roots; compare squares instead: `a * a <= b`",
    "pow": "there is no power; multiply with `*`",
    **dict.fromkeys(("avg", "average", "mean"), _AVERAGE),
    "all": "write `every(p in players has p.gold > 3)`",
    **dict.fromkeys(("exists", "some"), "write `any(p in players where p.gold > 3)`"),
    "odd": "ask for the remainder: `n mod 2 = 1`",
    "even": "ask for the remainder: `n mod 2 = 0`",
    "contains": "write `card in place`",
    "range": "a range has two points between its ends, both of which count: `1..6`",
    **dict.fromkeys(
        ("print", "log", "echo"), 'write a line into the log with `say "text {value}"`'
    ),
    **dict.fromkeys(
        ("other", "others", "otherPlayer"), "with two players, `next(me)` is the other"
    ),
    "enemy": "with two players, `next(me)` is the other one",
    "it": "name it: `for each c in place`, `any(c in place where c.cost > 2)`",
}

_NUMBER = "its number, counting from 1, is `position({x})`"

# What is asked with a dot elsewhere; `{x}` is what stands before it.
OF_MEMBERS = dict.fromkeys(("index", "idx", "number", "no", "ordinal", "id", "pos"), _NUMBER)
OF_PLAYERS = {
    **dict.fromkeys(
        ("seat", "number", "index", "idx", "id", "no", "num", "order", "playerID", "pos"),
        "the number of the seat, counting from 1, is `position({x})`",
    ),
    **dict.fromkeys(("left", "following", "nextPlayer"), "the player to the left is `next({x})`"),
    **dict.fromkeys(("right", "prev"), "the player to the right is `previous({x})`"),
    **dict.fromkeys(("opponent", "other", "enemy"), "with two players, write `next({x})`"),
    "name": "a text names the player by itself: `{{{x}}}`; in conditions, compare `{x} is P1`",
}
OF_CELLS = {
    **dict.fromkeys(("x", "col", "file", "q"), "columns count from 1 on the left: `{x}.column`"),
    **dict.fromkeys(("y", "rank", "r", "line"), "rows count from 1 at the bottom: `{x}.row`"),
    **dict.fromkeys(
        ("neighbors", "neighbor", "neighbour", "adjacents"),
        "the cells beside it are `neighbours({x})`, after `in`",
    ),
    **dict.fromkeys(("edge", "isEdge", "border", "isBorder"), "ask `{x}.onEdge`"),
    **dict.fromkeys(("up", "above", "north"), "the cell above is `step({x}, north)`, or none"),
    **dict.fromkeys(("down", "below", "south"), "the cell below is `step({x}, south)`, or none"),
}
OF_PIECES = {
    **dict.fromkeys(("owner", "player", "holder"), "who has it is `holder({x})`, or none"),
    "name": "a text names the piece by itself: `{{{x}}}`; in conditions, compare `{x} is` a row",
    **dict.fromkeys(
        ("place", "location", "where", "zone"), "ask whether it lies somewhere: `{x} in me.hand`"
    ),
}

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
NAMES |= {word: f"write the number in digits: `{n}`" for n, word in enumerate(NUMBERS)}

# Steps that are methods elsewhere, of numbers and of places; `{x}` is what stands before the dot,
# `{y}` what stands in the brackets.
OF_NUMBERS = {
    **dict.fromkeys(("add", "increment", "inc", "increase", "plus", "gain"), "`{x} += {y}`"),
    **dict.fromkeys(
        ("subtract", "sub", "decrement", "dec", "decrease", "minus", "remove", "lose"),
        "`{x} -= {y}`",
    ),
    **dict.fromkeys(("set", "assign", "setValue"), "`{x} := {y}`"),
    **dict.fromkeys(("roll", "throw"), "`roll {x}`"),
}
DONE_TO_PLACES = {
    **dict.fromkeys(("add", "append", "push", "put", "insert", "place"), "`move {y} to {x}`"),
    **dict.fromkeys(("remove", "delete", "discard"), "`move {y} to box`"),
    **dict.fromkeys(("draw", "pop", "deal", "take"), "`draw 1 from {x} to me.hand`"),
    **dict.fromkeys(("shuffle", "mix"), "`shuffle {x}`"),
    **dict.fromkeys(("clear", "empty"), "`move all from {x} to box`"),
    **dict.fromkeys(("reveal", "show"), "`reveal {x}`"),
    "hide": "`hide {x}`",
}

# What is asked of a place with a dot elsewhere; `{place}` is the place as it was written.
OF_PLACES = {
    **dict.fromkeys(("count", "len", "size", "length", "number", "amount"), "`number of {place}`"),
    **dict.fromkeys(("empty", "isEmpty"), "`number of {place} = 0`"),
    **dict.fromkeys(("first", "last"), "`top({place})` or `bottom({place})`"),
}
