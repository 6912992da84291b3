"""Reports as files: report.html, and each plot of it as SVG and, if wanted, PNG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interpreter.lab.pages.comparison_page import SCHEMA, comparison_page
from interpreter.lab.pages.material import material_of
from interpreter.lab.pages.plots import Plot
from interpreter.lab.pages.study_page import Page, study_page
from interpreter.lab.study import Results

_ZOOM = 3  # pixels a unit: sharp in print


class NotToDraw(Exception):
    """Something that is no study and no comparison, or a picture that cannot be made here."""


def write_report(results: Results, folder: Path, png: bool = False) -> Path:
    """The report of a study, mostly beside its tables; returns where it is."""
    return write_page(study_page(material_of(results)), folder, "report", png)


def write_comparison(found: dict[str, Any], folder: Path, png: bool = False) -> Path:
    """The report of what `rulerun compare --json` gave."""
    if found.get("schema") != SCHEMA:
        raise NotToDraw(f"this is no comparison: its schema is not {SCHEMA}")
    try:
        page = comparison_page(found)
    except (KeyError, TypeError, ValueError) as error:
        raise NotToDraw(f"this comparison is not whole: {error!r}") from None
    return write_page(page, folder, "comparison", png)


def write_page(page: Page, folder: Path, name: str, png: bool = False) -> Path:
    """Plots of earlier times go, so that none is left that the page does not show."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}.html"
    plots = folder / "plots"
    plots.mkdir(exist_ok=True)
    for old in (*plots.glob("*.svg"), *plots.glob("*.png")):
        old.unlink()
    _write_plots(page.plots, plots, png)
    target.write_text(page.html, encoding="utf-8")
    return target


def _write_plots(plots: Mapping[str, Plot], folder: Path, png: bool) -> None:
    for name, plot in plots.items():
        drawn = plot.drawing.file(plot.title)
        (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
        if png:
            (folder / f"{name}.png").write_bytes(as_png(drawn))


def as_png(svg: str) -> bytes:
    """Drawn with the fonts of this machine."""
    try:
        import resvg_py
    except ImportError:
        raise NotToDraw("PNG needs resvg_py (pip install 'rulerun[lab]')") from None
    drawn = resvg_py.svg_to_bytes(svg_string=svg, zoom=_ZOOM, sans_serif_family="DejaVu Sans")
    return bytes(drawn)
