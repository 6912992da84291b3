"""`rulerun list`: the games that ship."""

from __future__ import annotations

import click

from interpreter.cli.common import OK, common_options, header, json_option, out, out_json, shipped


@click.command("list")
@json_option
@common_options
def command(as_json: bool) -> int:
    """List the games that come with rulerun: name, title, players."""
    from interpreter.report.visible import visible

    rows = []
    for name, path in shipped().items():
        found = header(path)
        assert found is not None
        rows.append((name, *found, str(path)))
    rows.sort(key=lambda row: row[0].casefold())
    if as_json:
        keys = ("name", "title", "least", "most", "file")
        games = [dict(zip(keys, row, strict=True)) for row in rows]
        out_json({"schema": "rulerun/list@1", "games": games})
        return OK
    wide = max((len(row[0]) for row in rows), default=0)
    wider = max((len(row[1]) for row in rows), default=0)
    for name, title, least, most, _ in rows:
        number = str(least) if least == most else f"{least} to {most}"
        out(f"{visible(name):{wide}}  {visible(title):{wider}}  {number} players")
    return OK
