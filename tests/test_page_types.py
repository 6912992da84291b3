"""The page's modules keep to the types they name: TypeScript reads their JSDoc.

It comes with Deno, which pip installs like any other package, and asks nobody on the network.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from deno import find_deno_bin

PAGE = Path(__file__).resolve().parent.parent / "interpreter" / "table" / "page"
_STRICT = {
    "checkJs": True,
    "strict": True,
    "noUnusedLocals": True,
    "noImplicitReturns": False,
    "lib": ["dom", "dom.iterable", "esnext"],
}


def checked(folder: Path, module: Path) -> subprocess.CompletedProcess[str]:
    config = folder / "deno.json"
    config.write_text(json.dumps({"compilerOptions": _STRICT}), encoding="utf-8")
    command = [find_deno_bin(), "check", "--no-remote", "--no-npm", "--no-lock"]
    env = os.environ | {"DENO_DIR": str(folder / "deno"), "NO_COLOR": "1"}
    env["DENO_NO_UPDATE_CHECK"] = "1"
    return subprocess.run(
        [*command, "--config", str(config), str(module)],
        capture_output=True,
        text=True,
        env=env,
        timeout=600,
        check=False,
    )


def test_the_page_keeps_to_its_types(tmp_path: Path) -> None:
    found = checked(tmp_path, PAGE / "main.js")
    assert found.returncode == 0, found.stderr


def test_every_module_belongs_to_the_page() -> None:
    """What the first module does not reach would not be checked."""
    reached: set[str] = set()
    waiting = ["main.js"]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        for line in (PAGE / name).read_text(encoding="utf-8").splitlines():
            if 'from "./' in line:
                waiting.append(line.split('from "./')[1].split('"')[0])
    assert {path.name for path in PAGE.glob("*.js")} == reached


def test_a_wrong_type_is_noticed(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.js"
    wrong.write_text(
        "/** @param {number} n */\nexport function half(n) {\n  return n / 2;\n}\nhalf('two');\n",
        encoding="utf-8",
    )
    found = checked(tmp_path, wrong)
    assert found.returncode != 0 and "TS2345" in found.stderr
