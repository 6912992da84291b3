"""`rulerun explain`: the page behind a problem code."""

from __future__ import annotations

import click

from interpreter.cli.common import OK, common_options, json_option, out, out_json


@click.command("explain")
@click.argument("code", required=False)
@json_option
@common_options
def command(code: str | None, as_json: bool) -> int:
    """Explain a problem code such as RR104, with examples; without one, list all codes."""
    from interpreter.report.hints import all_codes, hint, title
    from interpreter.report.suggest import did_you_mean

    if code is None:
        titles = {each: title(each) or "" for each in all_codes()}
        if as_json:
            out_json({"schema": "rulerun/codes@1", "codes": titles})
        else:
            out("\n".join(f"{each}  {told}" for each, told in titles.items()))
        return OK
    page = hint(code)
    if page is None:
        known = did_you_mean(code, all_codes()) or "`rulerun explain` lists all codes."
        raise click.UsageError(f"there is no problem code `{code}`. {known}")
    if as_json:
        told = title(code)
        out_json({"schema": "rulerun/hint@1", "code": code.upper(), "title": told, "page": page})
    else:
        out(page.rstrip())
    return OK
