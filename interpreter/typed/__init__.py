"""The typed tree: what a ruleset says once all names are settled and every value has its type.

In comes a `Ruleset` (what is declared, sized and placed) whose bodies are still trees of text; out
comes `Rules` (rules.py), frozen data in which every name is what it refers to. Building it reports
what is wrong with single expressions and statements; `checks/` asks further questions, one module
each; `knowledge/` finds who can know what. Nothing here knows of cells, addresses or operations.
"""
