"""The house rules of the code: which way imports point, who may use what, how big a module is."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from interpreter.tree.parse import keywords
from interpreter.typed import statements as typed

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "interpreter"

# A package may import the packages to its left. `facade` stands for the modules at the top, which
# put the stages together; `__init__` is the door for other programs.
ORDER = [
    "report", "data", "tree", "model", "typed", "program", "play", "view",
    "facade", "scene", "bots", "learn", "prove", "lab", "adapters", "__init__", "table", "terminal",
    "cli",
]  # fmt: skip
FACADE = {
    "pipeline",
    "reading",
    "amending",
    "breakdown",
    "embedding",
    "state",
    "drafts",
    "imagination",
    "offering",
    "option",
    "position",
    "saving",
    "perft",
    "record",
    "shelf",
    "watching",
    "journal",
    "scenario",
    "scenario_amend",
    "scenario_expect",
    "scenario_offers",
    "scenario_state",
    "scenario_text",
    "scenario_check",
    "scenario_unfold",
    "scenario_words",
    "clauses",
    "variants",
    "soak",
}
FOR_ALL = {"limits", "frozen", "resources"}
MOST_LINES = 500
TOP_LEVEL = {"pyproject.toml", "README.md", "interpreter", "rulesets", "schemas", "tests", "seeds"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def test_there_are_modules() -> None:
    assert MODULES


def test_imports_point_one_way() -> None:
    wrong = []
    for module in MODULES:
        home = layer(module.relative_to(PACKAGE).with_suffix("").parts[0])
        for target, line in imports(module):
            parts = target.split(".")
            if parts[0] != "interpreter":
                continue
            other = layer(parts[1] if len(parts) > 1 else "__init__")
            if other == "all" or other == home:
                continue
            if home == "all" or ORDER.index(other) > ORDER.index(home):
                wrong.append(f"{module.relative_to(ROOT)}:{line}: {home} imports {other}")
    assert not wrong, "\n".join(wrong)


def test_no_module_of_the_lowering_needs_itself() -> None:
    """Also not through others: what is mutual goes through the table of scope.py."""
    folder = PACKAGE / "program" / "lower"
    needs = {
        f"interpreter.program.lower.{module.stem}": inside(module, folder)
        for module in folder.glob("*.py")
    }
    assert len(needs) > 20
    while needs:
        free = {name for name, others in needs.items() if not others & needs.keys()}
        assert free, f"in a circle, or in need of one: {sorted(needs)}"
        needs = {name: others for name, others in needs.items() if name not in free}


def inside(module: Path, folder: Path) -> set[str]:
    """The modules of the same folder that a module imports, as `from package import module` too."""
    package = ".".join(folder.relative_to(ROOT).parts)
    found: set[str] = set()
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}:{node.lineno}: name the whole package"
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in found if (folder / f"{name.removeprefix(package + '.')}.py").is_file()}


def test_lark_is_imported_in_tree_only() -> None:
    assert all(user.parts[1] == "tree" for user in users_of("lark")), users_of("lark")


def test_what_researchers_use_is_imported_in_its_room_only() -> None:
    """And nobody imports that room, so that no command takes any of it."""
    theirs = {"gymnasium", "pettingzoo", "pyspiel"}
    users = [
        module.relative_to(PACKAGE)
        for module in MODULES
        for target, _ in imports(module)
        if target.split(".")[0] in theirs or target.startswith("interpreter.adapters")
    ]
    assert users and all(user.parts[0] == "adapters" for user in users), users
    assert {user.parts[1] for user in users_of("numpy")} <= {"adapters", "lab"}


def test_what_the_lab_counts_with_is_imported_there_only() -> None:
    found = [*users_of("duckdb"), *users_of("scipy")]
    assert all(user.parts[1] == "lab" for user in found), found
    assert [user.name for user in users_of("distributed")] == ["cluster.py"]


def test_jsonschema_is_imported_in_one_module_only() -> None:
    assert len(users_of("jsonschema")) <= 1, users_of("jsonschema")


def test_no_module_is_long() -> None:
    sizes = {
        str(module.relative_to(ROOT)): len(module.read_text(encoding="utf-8").splitlines())
        for module in MODULES
    }
    assert not {module: size for module, size in sizes.items() if size > MOST_LINES}


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(module.relative_to(ROOT)) for module in MODULES if not ast.get_docstring(parse(module))
    ]
    assert not silent


def test_top_level_holds_nothing_else() -> None:
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    strangers = names - TOP_LEVEL
    if strangers:  # what git ignores is nobody's business
        ignored = subprocess.run(
            ["git", "check-ignore", "--", *sorted(strangers)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        strangers -= set(ignored.stdout.splitlines())
    assert not strangers


def test_matches_on_operations_forget_none() -> None:
    """A `match` that tells operations apart ends in `assert_never`, so that the type checker lists
    what a new operation has to be added to. Where it only looks for a certain form, its last case
    says in a comment what becomes of all others."""
    assert matches_on("interpreter.program.ops")
    forgetful = [place for place, forgets in matches_on("interpreter.program.ops") if forgets]
    assert not forgetful, "\n".join(forgetful)


def test_matches_on_statements_forget_none() -> None:
    """The same for those of the typed tree."""
    assert matches_on("interpreter.typed.statements")
    forgetful = [place for place, forgets in matches_on("interpreter.typed.statements") if forgets]
    assert not forgetful, "\n".join(forgetful)


def test_every_statement_stands_in_one_union() -> None:
    """Whether it can stop the game is said once."""
    unions = [get_args(each) for each in (typed.Straight, typed.Stopping, typed.Depending)]
    assert len({each for union in unions for each in union}) == sum(map(len, unions))


def test_seats_are_named_in_one_place() -> None:
    named = re.compile(r"P\{[^}]*\+ 1\}")
    users = [module for module in MODULES if named.search(module.read_text(encoding="utf-8"))]
    assert [module.relative_to(PACKAGE).as_posix() for module in users] == ["model/seats.py"]


def test_the_map_of_the_house_is_true() -> None:
    """Every file it names is there, and every name is one of a module, of something in it, or a
    word of the language."""
    text = (PACKAGE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    # Commands, the order of the folders (which has a test of its own), and any hint page.
    text = re.sub(r"`(python [^`]*|report ◄[^`]*|hints/RRnnn.md)`", "", text)
    names = known_names()
    wrong = [each for each in re.findall(r"`([^`]+)`", text) if not is_known(each, names)]
    assert not wrong, wrong


def test_the_map_of_the_house_is_whole() -> None:
    """Whatever stands directly under interpreter/ is named in it."""
    text = (PACKAGE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    modules = [module.name for module in PACKAGE.glob("*.py")]
    packages = [f"{door.parent.name}/" for door in PACKAGE.glob("*/__init__.py")]
    assert modules and packages
    assert not [name for name in modules + packages if f"`{name}`" not in text]


def is_known(quoted: str, names: set[str]) -> bool:
    if re.fullmatch(r"[\w*./-]*(/|\.(py|js|lark|json))", quoted):
        places = [ROOT, PACKAGE, *(folder for folder in PACKAGE.rglob("*") if folder.is_dir())]
        return any(list(place.glob(quoted.rstrip("/"))) for place in places)
    return all(word in names for word in re.findall(r"[A-Za-z_]\w*", quoted))


def known_names() -> set[str]:
    found = {"rulerun", "assert_never", *keywords()}
    for module in MODULES:
        found |= set(module.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(parse(module)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return found


def matches_on(home: str) -> list[tuple[str, bool]]:
    """Every `match` that tells the classes of a module apart: its place, and whether it could
    forget one without a word."""
    package, _, name = home.rpartition(".")
    found = []
    for module in MODULES:
        tree = parse(module)
        called = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == package
            for alias in node.names
            if alias.name == name
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Match) and names_classes_of(called, node):
                forgets = not ends_in_assert_never(node) and not says_why(module, node)
                found.append((f"{module.relative_to(ROOT)}:{node.lineno}", forgets))
    return found


def names_classes_of(modules: set[str], found: ast.Match) -> bool:
    return any(
        isinstance(part, ast.MatchClass)
        and isinstance(part.cls, ast.Attribute)
        and isinstance(part.cls.value, ast.Name)
        and part.cls.value.id in modules
        for case in found.cases
        for part in ast.walk(case.pattern)
    )


def ends_in_assert_never(found: ast.Match) -> bool:
    last = found.cases[-1].body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "id", "") == "assert_never"


def says_why(module: Path, found: ast.Match) -> bool:
    last = found.cases[-1]
    line = module.read_text(encoding="utf-8").splitlines()[last.pattern.lineno - 1]
    return re.fullmatch(r"\s*case \w+:  # \w.*", line) is not None


def layer(name: str) -> str:
    """The place in ORDER of a package or module directly under interpreter/."""
    if name in FOR_ALL:
        return "all"
    if name in FACADE:
        return "facade"
    if name == "__main__":
        return "cli"
    assert name in ORDER, f"interpreter/{name} has no place in ORDER: give it one"
    return name


def users_of(library: str) -> list[Path]:
    return [
        module.relative_to(ROOT)
        for module in MODULES
        if any(target.split(".")[0] == library for target, _ in imports(module))
    ]


def imports(module: Path) -> Iterator[tuple[str, int]]:
    """Every import of a module, also inside functions, as an absolute dotted name and a line."""
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.relative_to(ROOT).parts[: -node.level]
                base = ".".join([*package, base]).rstrip(".")
            if base == "interpreter":  # from interpreter import limits: a module or a name of it
                for alias in node.names:
                    yield submodule(alias.name), node.lineno
            else:
                yield base, node.lineno


def submodule(name: str) -> str:
    exists = (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()
    return f"interpreter.{name}" if exists else "interpreter"


def parse(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"), str(module))
