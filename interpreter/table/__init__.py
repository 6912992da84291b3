"""The table people sit at from afar: its rules in a process of their own, its logic without any
input or output, its memory on the disk, and the server that brings them together.

`desk` answers questions about a game, in a child (`child`) that a `pool` may end at any time.
`table` is one table as a pure machine: a message comes in, things to do come out. `store` keeps
what was decided, `hall` does what tables ask for, `server` speaks to browsers.
"""
