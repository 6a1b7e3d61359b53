# SPDX-License-Identifier: BSD-3-Clause
"""Collects all pages, rewrites the links between them, and writes the site."""
import html
import json
import os
import pathlib
import posixpath
import re
import shutil
from urllib.parse import unquote

import links
from markdown_pages import in_sections, markdown_files, markdown_page, source_page
from reference import Program, reference_pages

HERE = pathlib.Path(__file__).resolve().parent
# Copied next to the pages.
ASSETS = ("style.css", "site.js")
# Copied as they are.
PICTURES = (".svg", ".png", ".ipynb")
REFERENCE_AFTER = "Machines"  # the sidebar's section above the reference


class Links:
    """Rewrites what Markdown files refer to; collects source pages and pictures on the way."""

    def __init__(self, root, pages):
        self.root = root
        self.by_source = {page.source: page for page in pages}
        self.sources = {}  # file: page
        self.pictures = set()
        self.problems = []

    def target(self, page, reference):
        """The site's path of what `page` refers to, or None after a problem."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.source), reference))
        file = self.root / path
        if file.is_dir() and (file / "README.md").exists():
            path = posixpath.normpath(posixpath.join(path, "README.md"))
        if path in self.by_source:
            return self.by_source[path].path
        if not file.is_file() or path.startswith(".."):
            self.problems.append(f"{page.source}: broken link '{reference}'")
            return None
        if path.endswith(PICTURES):
            self.pictures.add(path)
            return f"files/{path}"
        if path not in self.sources:
            self.sources[path] = source_page(self.root, path)
        return self.sources[path].path

    def rewrite(self, page):
        def one(match):
            before, value = match[1], html.unescape(match[2])
            if re.match(r"[a-z]+:|#", value):
                return match[0]
            path, hash_sign, anchor = value.partition("#")
            target = self.target(page, unquote(path))
            if target is None:
                return match[0]
            return f'{before}"{html.escape(relative(page.path, target) + hash_sign + anchor)}"'
        page.body = re.sub(r'(<(?:a|img)\b[^>]*?\b(?:href|src)=)"([^"]*)"', one, page.body)


def relative(start, target):
    return posixpath.relpath(target, posixpath.dirname(start) or ".")


def sidebar(pages, current):
    """Sections that fold; the current page's is open."""
    sections = dict.fromkeys(page.section for page in pages if page.listed)
    parts = []
    for section in sections:
        members = [page for page in pages if page.section == section and page.listed]
        is_open = section == "Start" or any(page is current for page in members)
        items = "".join(
            f'<li><a href="{html.escape(relative(current.path, page.path))}"'
            f'{" aria-current=page" if page is current else ""}>'
            f"{html.escape(page.label or page.title)}</a></li>" for page in members)
        parts.append(f'<details{" open" if is_open else ""}><summary>{html.escape(section)}'
                     f"</summary><ul>{items}</ul></details>")
    return "\n".join(parts)


def contents(page):
    """The headings of a page with at least three."""
    found = re.findall(r'<h2 id="([^"]*)">(.*?)<a class="anchor"', page.body, re.S)
    if len(found) < 3:
        return ""
    items = "".join(f'<li><a href="#{anchor}">{re.sub("<a [^>]*>|</a>", "", text)}</a></li>'
                    for anchor, text in found)
    return (f'<nav class="contents" aria-label="On this page"><p>On this page</p><ul>{items}</ul>'
            "</nav>")


def neighbours(pages, page):
    listed = [each for each in pages if each.listed]
    if page not in listed:
        return ""
    at = listed.index(page)
    parts = []
    for step, name in ((-1, "Previous"), (1, "Next")):
        if not 0 <= at + step < len(listed):
            continue
        other = listed[at + step]
        parts.append(f'<a class="{name.lower()}" href="'
                     f'{html.escape(relative(page.path, other.path))}"><span>{name}</span>'
                     f"{html.escape(other.title)}</a>")
    return "".join(parts)


def filled(layout, pages, page, version):
    up = posixpath.relpath(".", posixpath.dirname(page.path) or ".")
    parts = {
        "title": html.escape(page.title if page.title == "Tutti" else f"{page.title} - Tutti"),
        "root": "" if up == "." else up + "/",
        "version": html.escape(version),
        "sidebar": sidebar(pages, page),
        "contents": contents(page),
        "body": page.body,
        "source": f"Source: <code>{html.escape(page.source)}</code>" if page.source
                  else "Generated from the declarations of the program",
        "neighbours": neighbours(pages, page),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], layout)


def search_index(pages):
    """A script, since a page that is opened as a file may not fetch JSON."""
    entries = [{"t": entry.text, "k": entry.kind, "p": page.title, "a": entry.about,
                "u": page.path + (f"#{entry.anchor}" if entry.anchor else "")}
               for page in pages for entry in page.entries]
    return "window.searchIndex = " + json.dumps(entries, ensure_ascii=False,
                                                separators=(",", ":")) + ";\n"


def collected(root, program):
    files = in_sections(markdown_files(root))
    pages = [markdown_page(root, section, file) for section, file in files]
    after = max(i for i, page in enumerate(pages) if page.section == REFERENCE_AFTER) + 1
    pages[after:after] = reference_pages(program)
    for page in pages:
        if page.path == "index.html":
            page.label = "Overview"
    known = Links(root, [page for page in pages if page.source])
    for page in pages:
        if page.source:
            known.rewrite(page)
    pages += known.sources.values()
    return pages, known


def emptied(folder):
    """Only what an earlier build wrote is removed."""
    mark = folder / "search-index.js"
    if folder.exists() and any(folder.iterdir()) and not mark.exists():
        raise RuntimeError(f"{folder} is neither empty nor a site of an earlier build")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def build_site(root, folder, sim):
    """Writes the site; returns the number of pages and the problems found."""
    if not os.access(sim, os.X_OK):
        raise RuntimeError(f"cannot run '{sim}': build it first (cmake --build --preset release)")
    program = Program(root, sim)
    version = program.output("--version").split(",")[0].strip().replace("sim (Tutti) ", "")
    pages, known = collected(root, program)
    emptied(folder)
    layout = (HERE / "layout.html").read_text()
    for page in pages:
        file = folder / page.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(filled(layout, pages, page, version))
    for picture in known.pictures:
        copy = folder / "files" / picture
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / picture, copy)
    for name in ASSETS:
        shutil.copyfile(HERE / name, folder / name)
    (folder / "search-index.js").write_text(search_index(pages))
    return len(pages), known.problems + links.problems_of(folder)
