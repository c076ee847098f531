"""Tables in Markdown and plots in SVG of what was measured."""

import html


from work import absent


def _reached(costs, peer, what):
    """Ours to the peer, of whose rows, as `hash_bench (ni3)`, the best one counts; none if it has no row."""
    ours, *_ = costs.values()
    peers = [getattr(cost, what) for name, cost in costs.items() if name == peer or name.startswith(f"{peer} (")]
    return getattr(ours, what) / min(peers) if peers else None


def table(work, costs, notes=()):
    """One work: a row a program, the targets with what was reached, and what the work has to say besides."""
    ours = next(iter(costs))
    lines = [
        f"### {work.title}", "", "| program | wall s (median) | from – to | CPU s | peak MiB | wall, ours = 1 |",
        "|---|---|---|---|---|---|",
    ]
    for name, cost in costs.items():
        low, high = cost.spread
        lines.append(
            f"| {name} | {cost.wall:.2f} | {low:.2f} – {high:.2f} | {cost.cpu:.2f} | {cost.peak:.0f} "
            f"| {cost.wall / costs[ours].wall:.2f} |")
    said = []
    for peer, what, limit in work.targets:
        reached = _reached(costs, peer, what)
        if reached is not None:
            verdict = "met" if reached <= limit else "MISSED"
            said.append(f"* {what} {reached:.2f} times `{peer}`; target: at most {limit:.2f}: {verdict}")
    for name in work.programs:
        if name not in costs:
            said.append(f"* left out: `{name}`, as {' and '.join(absent(name))} is not installed")
    return "\n\n".join("\n".join(part) for part in (lines, said, *notes) if part) + "\n"


def plot(work, costs):
    """Horizontal bars of wall time with their spread."""
    row, left, width = 26, 190, 640
    longest = max(cost.spread[1] for cost in costs.values())
    scale = (width - left - 70) / longest
    height = row * len(costs) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="8" y="18" font-weight="bold">{html.escape(work.title)}: wall seconds</text>',
    ]
    for index, (name, cost) in enumerate(costs.items()):
        y = 30 + index * row
        low, high = (left + value * scale for value in cost.spread)
        color = "#2f6f4f" if index == 0 else "#9aa5ad"
        parts += [
            f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{html.escape(name)}</text>',
            f'<rect x="{left}" y="{y + 2}" width="{cost.wall * scale:.1f}" height="16" fill="{color}"/>',
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y + 10}" y2="{y + 10}" stroke="black"/>',
            f'<text x="{high + 6:.1f}" y="{y + 14}">{cost.wall:.2f}</text>',
        ]
    return "\n".join(parts + ["</svg>"]) + "\n"


def write(folder, machine, options, tables):
    folder.mkdir(exist_ok=True)
    text = ["# What was measured", "", "Written by `Tools/bench/run --write`.", ""]
    text += [f"* {line}" for line in machine]
    text += [f"* {options.size} MiB, {options.rounds} rounds in turns", ""]
    for work, costs, lines in tables:
        (folder / f"{work.name}.svg").write_text(plot(work, costs))
        text += [lines, f"![{work.title}]({work.name}.svg)", ""]
    (folder / "results.md").write_text("\n".join(text))
