"""Games for those who learn: one thin module for each convention that researchers use.

Comes in: a `Game` or a rule file, like any other. Goes out: environments as others expect them.

- `vector`: thousands of games at once in numpy arrays, stepped in native code;
- `zoo`: PettingZoo, in turn (AEC) and all at once (parallel);
- `gym`: Gymnasium, one seat against bots;
- `spiel`: OpenSpiel, with chance nodes and sealed choices at the same time.

All of them see what a seat sees and name options by the numbers of `play/spaces/`. They know no
game, and nothing of a state that its views do not tell. Each imports its own package, and nobody
else imports them.
"""
