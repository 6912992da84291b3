"""The program: a small closed set of operations over one flat buffer of 64-bit integers."""
