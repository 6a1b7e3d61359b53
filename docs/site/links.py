# SPDX-License-Identifier: BSD-3-Clause
"""Checks a written site: links lead to files and ids, and nothing is loaded from a network."""
import html.parser
import json
import pathlib
import posixpath
import re
from urllib.parse import unquote


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids = []
        self.links = []  # of <a>: a reader may follow them to a network
        self.loads = []  # what the browser loads by itself

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("href", "src", "srcset", "data", "poster", "action"):
                self.loads.append(value)


def read(file):
    reader = Reader()
    reader.feed(file.read_text())
    return reader


def is_external(link):
    return re.match(r"[a-z][a-z0-9+.-]*:|//", link) is not None


def problems_of(folder):
    folder = pathlib.Path(folder)
    pages = {file.relative_to(folder).as_posix(): read(file) for file in folder.rglob("*.html")}
    problems = []

    def check(page, link):
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path))) \
            if path else page
        if not (folder / target).is_file():
            problems.append(f"{page}: broken link '{link}'")
        elif anchor and target in pages and unquote(anchor) not in pages[target].ids:
            problems.append(f"{page}: no heading or term '#{anchor}' in {target}")

    for page, reader in sorted(pages.items()):
        for repeated in sorted({each for each in reader.ids if reader.ids.count(each) > 1}):
            problems.append(f"{page}: the id '{repeated}' occurs more than once")
        for link in reader.links + reader.loads:
            if not is_external(link):
                check(page, link)
        problems += [f"{page}: loads '{load}' from a network" for load in reader.loads
                     if is_external(load) and not load.startswith("data:")]
    for asset in folder.glob("*.css"):
        if re.search(r"@import|url\(", asset.read_text()):
            problems.append(f"{asset.name}: loads another file")
    index = (folder / "search-index.js").read_text()
    for entry in json.loads(index[index.index("["):index.rindex("]") + 1]):
        check("index.html", entry["u"])
    return problems
