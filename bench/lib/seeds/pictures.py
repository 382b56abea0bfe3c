# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the figures of the tables by matplotlib: SVG and PNG files in build/bench/seeds, and SVG files beside the
page."""

import sys

from lib.places import OUTPUT

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    matplotlib = None

FOLDER = OUTPUT / "seeds"
# Okabe and Ito's colours, which most colour-blind people can tell apart; with markers, for prints in grey.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"]
MARKS = "osD^vPX*"
STYLE = {
    "svg.hashsalt": "keyhole",  # the same figures give the same file
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "legend.fontsize": 8,
}


def save(figure, report, name, caption):
    figure.tight_layout()
    folders = [(FOLDER, ("svg", "png"))]
    if report.file:
        folders.append((report.file.parent / "seeds", ("svg",)))
    for folder, kinds in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in kinds:
            metadata = {"Date": None} if kind == "svg" else None
            # "tight" extends the picture to the legend, which lies below the panels
            figure.savefig(folder / f"{name}.{kind}", dpi=120, metadata=metadata, bbox_inches="tight")
    pyplot.close(figure)
    for path in (folder / f"{name}.svg" for folder, _ in folders):
        path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")
    print(f"picture: {FOLDER / name}.svg, .png", file=sys.stderr)
    report.picture(f"seeds/{name}.svg", caption)


def panels(count, width=9.0, height=3.6, shared=False):
    figure, axes = pyplot.subplots(1, count, figsize=(width, height), squeeze=False, sharey=shared)
    return figure, axes[0]


def legend_below(figure, all_axes):
    """One legend for all panels."""
    handles = {}
    for axes in all_axes:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels())))
    figure.legend(handles.values(), handles, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0))


def without_matplotlib():
    if matplotlib is None:
        print(
            "no pictures: matplotlib is not there (.ci/install-packages bench, or pip install matplotlib)",
            file=sys.stderr,
        )
    return matplotlib is None


def dots(report, name, caption, columns, label):
    """Draws a column of dots for each group of values, and their mean."""
    if without_matplotlib():
        return
    with matplotlib.rc_context(STYLE):
        figure, (axes,) = panels(1, height=3.8)
        for index, (values, mean) in enumerate(columns.values()):
            spots = [index + 0.24 * ((i * 0.618) % 1 - 0.5) for i in range(len(values))]
            colour = COLOURS[index % len(COLOURS)]
            axes.plot(spots, values, MARKS[index % len(MARKS)], color=colour, alpha=0.65, markersize=5)
            axes.plot([index - 0.3, index + 0.3], [mean, mean], color=colour, linewidth=2)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_yscale("symlog", linthresh=5)
        ticks = [-50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50]
        axes.set_yticks(ticks, [f"{tick:+d}" if tick else "0" for tick in ticks])
        axes.minorticks_off()
        axes.set_xticks(range(len(columns)), columns)
        axes.set_ylabel(label)
        axes.set_title(caption)
        save(figure, report, name, caption)


def bars(report, name, caption, parts, label, logarithmic=()):
    """`parts`: {title of a panel: (names of the groups, {series: a value for each group, or None})}. `logarithmic`:
    titles of the panels whose axis is logarithmic."""
    if without_matplotlib():
        return
    with matplotlib.rc_context(STYLE):
        figure, all_axes = panels(len(parts))
        names = list(dict.fromkeys(one for _, series in parts.values() for one in series))
        for axes, (title, (groups, series)) in zip(all_axes, parts.items()):
            width = 0.8 / len(series)
            for place_of_bar, (one, values) in enumerate(series.items()):
                index = names.index(one)
                shown = [(place, value) for place, value in enumerate(values) if value is not None]
                spots = [place - 0.4 + width * (place_of_bar + 0.5) for place, _ in shown]
                axes.bar(spots, [value for _, value in shown], width * 0.92, label=one,
                         color=COLOURS[index % len(COLOURS)])  # fmt: skip
            axes.set_xticks(range(len(groups)), groups, rotation=0 if len(groups) < 5 else 30)
            axes.set_xlim(-0.5, len(groups) - 0.5)
            axes.set_title(title)
            if title in logarithmic:
                axes.set_yscale("log")
            axes.grid(axis="x", visible=False)
        all_axes[0].set_ylabel(label)
        legend_below(figure, all_axes)
        save(figure, report, name, caption)


def lines(report, name, caption, parts, across, label, log_across=True):
    """`parts`: {title of a panel: {series: ([x], [y])}}; y is logarithmic."""
    if without_matplotlib():
        return
    with matplotlib.rc_context(STYLE):
        figure, all_axes = panels(len(parts), height=3.9, shared=True)
        names = list(dict.fromkeys(one for series in parts.values() for one in series))
        for axes, (title, series) in zip(all_axes, parts.items()):
            ticks = sorted({x for xs, _ in series.values() for x in xs}) if log_across else None
            for one, (xs, ys) in series.items():
                index = names.index(one)
                axes.plot(xs, ys, MARKS[index % len(MARKS)] + "-", color=COLOURS[index % len(COLOURS)], label=one,
                          markersize=4, linewidth=1.2)  # fmt: skip
            axes.set_yscale("log")
            if log_across:
                axes.set_xscale("log", base=2)
                axes.set_xticks(ticks, map(str, ticks))
                axes.minorticks_off()
            else:
                axes.tick_params(axis="x", rotation=60)
            axes.set_xlabel(across)
            axes.set_title(title)
        all_axes[0].set_ylabel(label)
        legend_below(figure, all_axes)
        save(figure, report, name, caption)
