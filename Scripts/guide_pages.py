# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/guide, as Scripts/guide reads them."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs/guide"
# Pages that need what others have set up come after them.
ORDER = ["small.md", "recipes/apache.md", "recipes/nginx.md", "recipes/grafana.md", "recipes/oauth2-proxy.md", "recipes/kubernetes.md",
         "recipes/omniauth.md", "upgrade.md", "backup.md", "disaster.md"]
MARKED = re.compile(
    r"^<!-- test(?: on (?P<place>[a-z ]+?))?(?: if (?P<condition>[^:>]*))?: (?P<test>.*?) -->$"
    r"|^<!-- run(?: on (?P<machines>[a-z ]+?))?(?: if (?P<needs>[^>]*?))? -->\n+```sh\n(?P<block>.*?)^```$", re.S | re.M)
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)


@dataclasses.dataclass
class Step:
    """A block of commands that runs, or a hidden command of the test."""

    line: int
    text: str
    needs: list
    # The machines on which it runs, in this order; empty on a page of one machine.
    machines: list

    @property
    def title(self):
        return next(line for line in self.text.splitlines() if line.strip())[:80]


class Page:
    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(GUIDE))
        self.text = path.read_text(encoding="utf-8")

    @property
    def order(self):
        return ORDER.index(self.name) if self.name in ORDER else len(ORDER)

    @property
    def steps(self):
        return [
            Step(self.text[:match.start()].count("\n") + 1, match["test"] or match["block"],
                 (match["needs"] or match["condition"] or "").split(), (match["machines"] or match["place"] or "").split())
            for match in MARKED.finditer(self.text)]

    @property
    def lines(self):
        """The lines that people read."""
        return sum(1 for line in self.text.splitlines() if not re.match(r"<!-- (?:run|test)\b", line))

    @property
    def machines(self):
        """The names of the machines that it needs; empty for the one of the other pages."""
        return list(dict.fromkeys(name for step in self.steps for name in step.machines))

    @property
    def unmarked(self):
        """The markers that no rule above reads, such as one before text."""
        read = sum(1 for _ in MARKED.finditer(self.text))
        return len(re.findall(r"^<!-- (?:run|test)\b", self.text, re.M)) - read

    def blocks(self, language):
        return [block for name, block in FENCED.findall(self.text) if name == language]

    @property
    def states(self):
        """The state files: YAML of their own, or what commands write into a file."""
        written = [match[1] for block in self.blocks("sh") for match in re.finditer(r"<<'END'\n(.*?)^END$", block, re.S | re.M)]
        return [text for text in self.blocks("yaml") + written if re.search(r"^projects:", text, re.M)]


def pages():
    return [Page(path) for path in sorted(GUIDE.rglob("*.md"))]
