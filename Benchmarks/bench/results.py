# SPDX-License-Identifier: Apache-2.0
"""Rows of the one table, and where they go."""

import dataclasses
import datetime
import json
import os
import pathlib
import platform
import statistics


@dataclasses.dataclass
class Row:
    work: str
    reached: float
    unit: str
    """What it is held against: (name, value, factor). `factor` × `value` is the bar."""
    bars: list = dataclasses.field(default_factory=list)
    """Whether reaching means staying below, as with memory and time."""
    below: bool = False
    detail: dict = dataclasses.field(default_factory=dict)

    @property
    def verdicts(self):
        for name, value, factor in self.bars:
            bar = value * factor
            good = self.reached <= bar if self.below else self.reached >= bar
            yield name, value, factor, bar, good


def median_rate(samples):
    return statistics.median(s.rate for s in samples)


def describe(samples):
    return {"rates": [round(s.rate, 1) for s in samples],
            "p50_us": statistics.median(s.p50_us for s in samples),
            "p99_us": statistics.median(s.p99_us for s in samples),
            "wrong": sum(s.wrong for s in samples),
            "note": next((s.note for s in samples if s.note), "")}


def number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}"


def print_table(rows):
    lines = [("work", "Gatehouse", "held against", "bar", "")]
    for row in rows:
        first = True
        for name, value, factor, bar, good in row.verdicts:
            against = f"{factor:g} × {name} {number(value)}" if factor != 1 else name
            lines.append((row.work if first else "",
                          f"{number(row.reached)} {row.unit}" if first else "",
                          against, number(bar), "reached" if good else "SHORT"))
            first = False
        if first:
            lines.append((row.work, f"{number(row.reached)} {row.unit}", "", "", ""))
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    for index, line in enumerate(lines):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
        if index == 0:
            print("  ".join("-" * width for width in widths))


def write(rows, settings, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.timezone.utc)
    report = {
        "at": now.isoformat(timespec="seconds"), "settings": settings,
        "machine": {"cores": os.cpu_count(), "system": platform.platform(),
                    "processor": processor()},
        "rows": [{**dataclasses.asdict(row),
                  "verdicts": [{"against": n, "value": v, "factor": f, "bar": b, "reached": g}
                               for n, v, f, b, g in row.verdicts]} for row in rows]}
    path = folder / now.strftime("%Y%m%dT%H%M%SZ.json")
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    return path


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()
