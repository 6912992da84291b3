"""Who can know what: options must not tell secrets.

Every value has a label, the seats that can know it (labels.py). What is made of several values is
known to those who know all of them; what is decided under a condition carries the label of the
condition. `reading.py` finds the label of a value, `flow.py` follows the names of a body from
statement to statement, `trying.py` does the same for what `can` and `looking ahead` try out, and
`telling.py` reports where somebody would be told what he cannot know:

- what is offered (domain, `where`, `when`, words) must be known to whoever chooses,
- what is said must be known to everybody,
- what a sealed block depends on must be known to its seat,
- whether somebody is asked should be known to everybody; there a warning is enough.

To give a secret to an open variable is the way to publish it: from then on all can see it.
"""
