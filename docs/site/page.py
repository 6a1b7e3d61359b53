# SPDX-License-Identifier: BSD-3-Clause
"""A page of the site, its headings, and what the search finds on it."""
import dataclasses
import html
import re


@dataclasses.dataclass
class Entry:
    """A line of the search index: `anchor` is an id on the page, or empty for the page itself."""
    text: str
    kind: str  # page, heading, option, column, key, algorithm, ...
    anchor: str = ""
    about: str = ""


@dataclasses.dataclass
class Page:
    """`path` is relative to the site's root; `source` is the file that the page comes from."""
    path: str
    title: str
    section: str
    body: str
    source: str = ""
    label: str = ""  # in the sidebar; default: the title
    listed: bool = True
    entries: list = dataclasses.field(default_factory=list)


class Anchors:
    """Gives each id once; a repeated one gets a number, as on GitHub."""

    def __init__(self):
        self.used = {}

    def take(self, wanted):
        count = self.used.get(wanted, 0)
        self.used[wanted] = count + 1
        return f"{wanted}-{count}" if count else wanted


def slug(heading):
    """The anchor that GitHub gives to a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def plain(markup):
    """The text of HTML, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def shortened(text, most=110):
    if len(text) <= most:
        return text
    return text[:most].rsplit(" ", 1)[0].rstrip(",;:") + " ..."


def code_block(text, language=""):
    """A block with a title bar where `language` names a file, and a button that copies it."""
    kind, _, name = language.partition(" ")
    bar = f'<figcaption>{html.escape(name)}</figcaption>' if name and name != "walkthrough" else ""
    lines = html.escape(text).rstrip("\n").split("\n")
    if kind == "console":
        lines = [f'<span class="command"><span class="prompt">$ </span>{line[2:]}</span>'
                 if line.startswith("$ ") else line for line in lines]
    elif kind in ("sh", "toml", "ini", "python"):
        lines = [shell_comment(line) for line in lines]
    elif kind == "diff":
        lines = [f'<span class="{"added" if line[0] == "+" else "removed"}">{line}</span>'
                 if line[:1] in ("+", "-") else line for line in lines]
    return (f'<figure class="code {html.escape(kind)}">{bar}'
            f'<button class="copy" type="button">Copy</button>'
            f'<pre tabindex="0"><code>' + "\n".join(lines) + "</code></pre></figure>")


def shell_comment(line):
    at = re.search(r"(^|\s)#(?!\{).*$", line)
    if not at:
        return line
    return f'{line[:at.start()]}<span class="comment">{at[0]}</span>'


def table(heads, rows, numbers=()):
    """Cells are HTML; `numbers` are the indices of right-aligned columns."""
    def cell(kind, index, text):
        side = ' class="number"' if index in numbers else ""
        return f"<{kind}{side}>{text}</{kind}>"
    head = "".join(cell("th", i, text) for i, text in enumerate(heads))
    body = "".join("<tr>" + "".join(cell("td", i, text) for i, text in enumerate(row)) + "</tr>"
                   for row in rows)
    return (f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")
