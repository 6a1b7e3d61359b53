# SPDX-License-Identifier: BSD-3-Clause
"""The manual as pages: one for each section that `man` shows alone, and one for the rest."""
import html
import re
import shutil
import subprocess

from page import Anchors, Entry, Page, code_block, plain, shortened, slug

SECTION = "Manual"


def manual_sources(root):
    files = [root / "sim" / "sim.1", *sorted((root / "sim").glob("*/manual.1"))]
    return "\n".join(file.read_text() for file in files)


def rendered(roff):
    """mandoc's HTML of text that begins with a section."""
    if not shutil.which("mandoc"):
        raise RuntimeError("cannot find mandoc (Debian's package mandoc)")
    ended = subprocess.run(["mandoc", "-T", "html", "-O", "fragment"], text=True, check=True,
                           input='.TH SIM 1 "" "Tutti" "User commands"\n' + roff,
                           capture_output=True)
    body = re.search(r'<div class="manual-text">(.*)</div>\s*<table class="foot">', ended.stdout,
                     re.S)[1]
    body = re.sub(r'<a class="permalink" href="[^"]*">(.*?)</a>', r"\1", body, flags=re.S)
    body = re.sub(r"</?section[^>]*>\n?", "", body)
    body = re.sub(r"<pre>(.*?)</pre>", lambda m: code_block(plain_lines(m[1]), "text"), body,
                  flags=re.S)
    return re.sub(r' (?:id|class)="(?!code|copy|scroll)[^"]*"(?=[^<]*>)', "", body)


def plain_lines(markup):
    return html.unescape(re.sub(r"<[^>]+>", "", markup)).strip("\n")


def with_terms(body, page, anchors, kind, context):
    """Every name in a term of a definition list is an anchor and in the index."""
    def term(match):
        words = plain(match[1])
        if not words:
            return ""
        about = shortened(plain(match[2]), 90)
        names = re.findall(r"<b>(.*?)</b>", match[1], re.S)
        found = [plain(name) for name in names] if names else []
        if kind is None:
            found = [name for name in found if re.match(r"--[a-z]|[a-z_]+/[a-z_]+", name)]
        ids = []
        for name in found:
            sort = kind or ("option" if name.startswith("--") else "key")
            ids.append(anchors.take(slug(name.lstrip("-").replace("/", "-"))))
            page.entries.append(Entry(name, sort, ids[-1], f"{context}: {about}"))
        first = f' id="{ids[0]}"' if ids else ""
        more = "".join(f'<span id="{each}"></span>' for each in ids[1:])
        return f"<dt{first}>{more}{match[1].strip()}</dt>\n<dd>{match[2]}</dd>"
    return re.sub(r"<dt[^>]*>(.*?)</dt>\s*<dd[^>]*>(.*?)</dd>", term, body, flags=re.S)


def definitions(roff, page, anchors, kind, context):
    """The items of a section without its heading."""
    body = re.sub(r"<h1.*?</h1>", "", rendered(roff), count=1, flags=re.S)
    return with_terms(body, page, anchors, kind, context)


def readable(title):
    """OPTIONS OF RUN: Options of run; SIM FIT: sim fit."""
    title = title.strip('"')
    if title.upper() != title:
        return title
    if title.startswith("SIM "):
        return title.lower()
    return title.capitalize().replace("i/o", "I/O")


def sections_of(manual):
    """(title, page's name or None, what it is about, text) of each section."""
    found = []
    for text in re.split(r"(?m)^(?=\.SH )", manual)[1:]:
        first, _, rest = text.partition("\n")
        title = first[4:].strip().strip('"')
        named = re.match(r'\.\\" page (\S+) (.*)\n', rest)
        found.append((title, named[1] if named else None, named[2] if named else "", text))
    return found


def section_body(title, text, page, anchors, level):
    body = rendered(text)

    def head(match):
        words = readable(plain(match[2]))
        anchor = anchors.take(slug(words))
        page.entries.append(Entry(words, "heading", anchor))
        depth = int(match[1]) - 1 + level
        return (f'<h{depth} id="{anchor}">{html.escape(words)}<a class="anchor" href="#{anchor}" '
                f'aria-label="Link to this section">#</a></h{depth}>')
    if level == 1:  # the page's title
        body = re.sub(r"<h1[^>]*>.*?</h1>", "", body, count=1, flags=re.S)
    body = re.sub(r"<h([12])[^>]*>(.*?)</h\1>", head, body, flags=re.S)
    return with_terms(body, page, anchors, None, readable(title))


def linked(body, places, own):
    """Names of sections, which the manual prints in bold capitals, become links."""
    def link(match):
        words = plain(match[0])
        place = places.get(words)
        if not place or place.split("#")[0] == own and "#" not in place:
            return match[0]
        return f'<a href="{place}">{html.escape(readable(words))}</a>'
    return re.sub(r"<b>[A-Z/\s]{3,}</b>(?:\s+<b>[A-Z/\s]+</b>)*", link, body)


def manual_pages(program):
    sources = sorted((program.root / "sim").glob("*/manual.1"))
    roff = program.output("manual", *map(str, sources),
                          text=(program.root / "sim" / "sim.1").read_text())
    rest = Page("reference/manual/sim.html", "sim(1)", SECTION, "", label="sim(1)")
    rest.entries.append(Entry("sim(1)", "manual", "", "the manual: formats, keys, files"))
    general, pages, places = Anchors(), [rest], {}
    parts = ["<h1>sim(1)</h1>"]
    for title, name, about, text in sections_of(roff):
        if name is None:
            places[title] = f"sim.html#{slug(readable(title))}"
            parts.append(section_body(title, text, rest, general, 2))
            continue
        page = Page(f"reference/manual/{name}.html", f"{name}(1)", SECTION, "", label=name + "(1)")
        page.entries.append(Entry(page.title, "manual", "", about))
        places[title] = f"{name}.html"
        page.body = (f"<h1>{name}(1)</h1><p class='lead'>{html.escape(about[:1].upper())}"
                     f"{html.escape(about[1:])}.</p>" +
                     section_body(title, text, page, Anchors(), 1))
        pages.append(page)
    rest.body = "\n".join(parts)
    for page in pages:
        page.body = linked(page.body, places, page.path.rsplit("/", 1)[-1])
    return pages
