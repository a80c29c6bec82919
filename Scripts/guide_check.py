# SPDX-License-Identifier: Apache-2.0
"""Compares what the pages of docs/guide name with a running provider and with the sources."""

import json
import pathlib
import re
import subprocess
import tempfile

from guide_pages import GUIDE, ROOT, pages
from guide_provider import Provider

DASHBOARD, RULES = GUIDE / "grafana-dashboard.json", GUIDE / "gatehouse.rules.yaml"
METRIC = re.compile(r"\b(?:gatehouse|process)_[a-z_]+\b")
MODULES = re.compile(
    r"Provider\w+|IdentityProvider|HTTPServer|AdminEndpoints|ProtocolEndpoints|AdminConsole|WebPages|Server|gatehouse")
FIELD_ROW = re.compile(r"^\| ((?:`[a-z_]+`(?:, )?)+) \|", re.M)
MESSAGE = re.compile(r"^\| (?:error|warning|notice|info) \| `([^`]+)` \|", re.M)


def families(page):
    """The names that a scraper stores."""
    names = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", page, re.M):
        names |= {f"{name}_{part}" for part in ("bucket", "sum", "count")} if kind == "histogram" else {name}
    return names


def without_series(page):
    return {name for name, _ in re.findall(r"^# TYPE (\S+) (\S+)$", page, re.M)}


def expressions():
    """The queries of the dashboard and of the alerts, each with where it is."""
    dashboard = json.loads(DASHBOARD.read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield f"{DASHBOARD.name}: {panel['title']}", target["expr"]
    for match in re.finditer(r"^ +expr: (.*(?:\n {10,}.*)*)", RULES.read_text(), re.M):
        yield RULES.name, match[1]


def wrong_metrics(page, sources):
    known = families(page)
    for place, text in expressions():
        for name in set(METRIC.findall(text)) - known:
            yield f"{place}: /metrics has no {name}"
        for label, value in re.findall(r'\b(action|route)=~?"([^"]+)"', text):
            for part in value.split("|"):
                if not re.search(re.escape(part.replace(".*", "")), sources):
                    yield f"{place}: no {label} {part}"
    for name in set(METRIC.findall((GUIDE / "monitoring.md").read_text())) - known - without_series(page):
        yield f"monitoring.md: /metrics has no {name}"


def undescribed_metrics(page):
    text = (GUIDE / "monitoring.md").read_text()
    return [f"monitoring.md does not explain {name}" for name in sorted(without_series(page)) if name not in text]


def logged_fields():
    """The names that the provider's modules write into metadata of log lines."""
    for path in (ROOT / "Sources").rglob("*.swift"):
        module, text = path.relative_to(ROOT / "Sources").parts[0], path.read_text(encoding="utf-8")
        if MODULES.fullmatch(module) and re.search(r"\blog\.(?:error|warning|notice|info)\(", text):
            for block in re.findall(r"metadata: \[(.*?)\](?:\)|,?\n)", text, re.S):
                yield from re.findall(r'"([a-z_]+)": "', block)


def wrong_log(sources):
    text = (GUIDE / "monitoring.md").read_text()
    rows = [field for row in FIELD_ROW.findall(text.split("## Log")[-1]) for field in re.findall(r"`([a-z_]+)`", row)]
    yield from (f"monitoring.md does not explain the field {name}" for name in sorted(set(logged_fields()) - set(rows)))
    yield from (f"monitoring.md: nothing logs the field {name}" for name in rows
                if not re.search(rf'"{name}": "|line\.member\("{name}"|\["{name}"\] = ', sources))
    yield from (f"monitoring.md: nothing logs {message!r}" for message in MESSAGE.findall(text)
                if message not in re.sub(r'"\s*\+ "', "", sources))
    if not rows or not MESSAGE.findall(text):
        yield "monitoring.md: no table of fields or messages was read"


def wrong_settings(program):
    """Keys of configuration files that `serve` does not have."""
    known = set(re.findall(r"--([a-z0-9-]+)", subprocess.run([program, "serve", "--help"], text=True, capture_output=True, check=True).stdout))
    for page in pages():
        for block in re.findall(r"gatehouse\.yaml.*?\n(.*?)^(?:END|```)$", page.text, re.S | re.M):
            for key in re.findall(r"^([a-z-]+): ", block, re.M):
                if key not in known:
                    yield f"{page.name}: serve has no setting {key}"


def anchors(path):
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def wrong_links():
    for page in pages():
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", page.text):
            path = (page.path.parent / target).resolve() if target else page.path
            if not path.exists():
                yield f"{page.name}: no file {target}"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                yield f"{page.name}: {target} has no heading #{anchor}"


def results(program):
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "Sources").rglob("*.swift"))
    yield "links lead to files and headings", wrong_links()
    yield "every marker is before a block of commands", [
        f"{page.name}: {page.unmarked} markers are not read" for page in pages() if page.unmarked]
    yield "each recipe says whether it was run here", [
        page.name for page in pages() if page.path.parent.name == "recipes"
        and not re.search(r"\*\*never run here\*\*|^Run in the tests: |in the tests: ", page.text, re.M)]
    yield "pages have fewer than 150 lines without markers", [page.name for page in pages() if page.lines >= 150]
    yield "serve has each setting", wrong_settings(program)
    with tempfile.TemporaryDirectory(prefix="gatehouse-guide-") as folder:
        folder = pathlib.Path(folder)
        provider = Provider(program, folder)
        try:
            provider.wait()
            for page in pages():
                for number, state in enumerate(page.states, 1):
                    yield f"{page.name}: state file {number} is accepted", provider.plan(state, folder)
            metrics = provider.get("/metrics")
        finally:
            provider.stop()
    yield "dashboard and alerts use metrics, actions and routes that exist", wrong_metrics(metrics, sources)
    yield "monitoring.md explains each metric", undescribed_metrics(metrics)
    yield "messages and fields of the log exist", wrong_log(sources)
