"""`python -m interpreter` is `rulerun`."""

from interpreter.cli.main import main

if __name__ == "__main__":
    main()
