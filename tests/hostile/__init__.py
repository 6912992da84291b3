"""Inputs made to hurt, and the promise each of them is held to."""
