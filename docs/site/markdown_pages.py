# SPDX-License-Identifier: BSD-3-Clause
"""Pages from the Markdown files of the project."""
import html
import os
import re

import markdown

from page import Anchors, Entry, Page, code_block, plain, shortened, slug

# The sidebar: its sections, and the files of each in their order; a pattern takes what is left.
SECTIONS = [
    ("Start", ["README.md", "examples/README.md", "python/README.md"]),
    ("Accuracy, speed, limits", ["docs/accuracy.md", "docs/speed.md", "docs/figures.md", "docs/limits.md",
                        "docs/comparison.md", "docs/gpu.md"]),
    ("Examples", [r"examples/.*"]),
    ("Machines", ["platforms/catalog/README.md", "platforms/README.md"]),
    ("The model", ["sim/runtime/README.md", "algorithms/models/README.md", "io_models/README.md",
                   "sim/replay/README.md"]),
    ("Development", ["CONTRIBUTING.md", "algorithms/README.md", "tests/README.md",
                     "packaging/README.md", r"(sim|workloads|docs)/.*", r".*/.*"]),
    ("News", ["CHANGELOG.md", r".*"]),
]


def markdown_files(root):
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in ("build", "corpus"))
        found += [os.path.relpath(os.path.join(folder, name), root)
                  for name in sorted(files) if name.endswith(".md")]
    return found


def in_sections(files):
    """The files in the order of the sidebar, each with its section."""
    left = list(files)
    placed = []
    patterns = [(name, pattern) for name, members in SECTIONS for pattern in members]
    # Files that are named come before those that a pattern takes.
    named = {pattern for _, pattern in patterns if "*" not in pattern}
    for name, pattern in patterns:
        for file in list(left):
            if file == pattern or (file not in named and re.fullmatch(pattern, file)):
                placed.append((name, file))
                left.remove(file)
    return placed


def page_path(file):
    """README.md of a folder is its index.html."""
    path = re.sub(r"(^|/)README\.md$", r"\1index.html", file)
    path = re.sub(r"\.md$", ".html", path).removeprefix("docs/")
    return path if path == "index.html" or "/" in path else path.lower()


def heading_ids(body, page):
    anchors = Anchors()

    def with_id(match):
        level, text = match[1], match[2]
        words = plain(text)
        if level == "1":
            return match[0]
        anchor = anchors.take(slug(words))
        page.entries.append(Entry(words, "heading", anchor))
        return (f'<h{level} id="{html.escape(anchor)}">{text}'
                f'<a class="anchor" href="#{html.escape(anchor)}" aria-label="Link to this '
                f'section">#</a></h{level}>')
    return re.sub(r"<h([1-6])>(.*?)</h\1>", with_id, body, flags=re.S)


def spaced_lists(text):
    """GitHub lets a list follow a paragraph at once; Python's Markdown wants an empty line."""
    lines, out = text.split("\n"), []
    item = re.compile(r"([*-]|\d+\.) ")
    in_list = False
    for line in lines:
        if item.match(line):
            if not in_list and out and out[-1].strip():
                out.append("")
            in_list = True
        elif not line.strip() or not line.startswith(" "):
            in_list = in_list and bool(line.strip())
        out.append(line)
    return "\n".join(out)


def to_html(text):
    """Code blocks go around Markdown, which knows nothing of their file names."""
    blocks = []

    def stash(match):
        blocks.append(code_block(match[2], match[1].strip()))
        return f"\n\nCODEBLOCK{len(blocks) - 1}END\n\n"
    text = re.sub(r"^```([^\n]*)\n(.*?)^```[ \t]*$", stash, text, flags=re.S | re.M)
    body = markdown.markdown(spaced_lists(text), extensions=["tables", "sane_lists"])
    body = re.sub(r"<pre><code>(.*?)</code></pre>",
                  lambda m: code_block(html.unescape(m[1]), "text"), body, flags=re.S)
    body = re.sub(r"<p>CODEBLOCK(\d+)END</p>", lambda m: blocks[int(m[1])], body)
    body = body.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    body = body.replace("</table>", "</table></div>")
    body = re.sub(r' style="text-align: (\w+);"',
                  lambda m: ' class="number"' if m[1] == "right" else "", body)
    return body.replace("<th></th>", '<th aria-hidden="true"></th>')


def markdown_page(root, section, file):
    text = (root / file).read_text()
    body = to_html(text)
    title = re.search(r"<h1>(.*?)</h1>", body, re.S)
    if not title:
        raise RuntimeError(f"{file}: the page has no title (a line '# TITLE')")
    page = Page(page_path(file), plain(title[1]), section, "", source=file)
    page.body = heading_ids(body, page)
    intro = re.search(r"<p>(.*?)</p>", page.body, re.S)
    page.entries.insert(0, Entry(page.title, "page", "", shortened(plain(intro[1]))
                                 if intro else ""))
    return page


def source_page(root, file):
    """A page that shows a text file to which others link; it is not in the sidebar."""
    text = (root / file).read_text(errors="replace")
    kind = {"sh": "sh", "toml": "toml", "py": "python"}.get(file.rsplit(".", 1)[-1], "text")
    body = f"<h1>{html.escape(file)}</h1>{code_block(text, kind)}"
    return Page(f"sources/{file}.html", file, "", body, source=file, listed=False,
                entries=[Entry(file, "file")])
