"""Reports of the lab: what a study has found, as a page for people and as plots.

    findings.json, tables ─► Material ─► Plots ─► Page ─► report.html, plots/*.svg, *.png
                 material_of     plots_of    study_page    write_report

A page is one file that needs nothing else. Charts are drawn here, as SVG, by functions from data
to a `Drawing`: `rows.py` (bars, boxes, changes), `lines.py` (histograms, curves), `heat.py`
(boards, tiles, a matrix), `icicle.py`. `plots.py` says which of them a way to play gets,
`sweep.py` which several ways get beside each other. So there is no library of charts to ship,
files cost nothing more, and colours (`colours.py`) follow the paper. Everything that is data is
escaped in one place (`markup.py`).
"""
