# SPDX-License-Identifier: BSD-3-Clause
"""The reference, from what the program declares: help, manual, lists, columns."""
import html
import json
import os
import re
import subprocess

from page import Anchors, Entry, Page, code_block, plain, shortened, slug, table

SECTION = "Reference"


class Program:
    """Runs `sim`; its catalog is that of the project."""

    def __init__(self, root, path):
        self.root = root
        self.path = path
        self.environment = {"TUTTI_CATALOG": str(root / "platforms" / "catalog"),
                            **os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
        for name in ("SIM_PLATFORM", "FORCE_COLOR"):  # of whoever builds
            self.environment.pop(name, None)

    def output(self, *words, text=None):
        ended = subprocess.run([self.path, *words], input=text, text=True, capture_output=True,
                               env=self.environment, check=False)
        if ended.returncode:
            raise RuntimeError(f"sim {' '.join(words)}: {ended.stderr.strip()}")
        return ended.stdout

    def subcommands(self, *words):
        """Pairs (name, summary), as the shell's completion lists them."""
        lines = self.output("complete", "--", *words, "").splitlines()
        pairs = [line.partition("\t")[::2] for line in lines]
        return [pair for pair in pairs if re.fullmatch(r"[a-z][a-z_-]*", pair[0])]


def option_names(words):
    return re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", words)


def help_block(text, page, anchors, command):
    """The help as the terminal shows it; each option is an anchor and in the index."""
    lines = text.rstrip("\n").split("\n")
    marked = []
    for i, line in enumerate(lines):
        names = re.match(r"  (-.*?)(?:\s{2,}|$)(.*)", line)
        shown = html.escape(line, quote=False)
        if names:
            about, following = names[2], i + 1
            while following < len(lines) and lines[following].startswith(" " * 20):
                about += " " + lines[following].strip()
                following += 1
            long = option_names(names[1])[-1]
            anchor = anchors.take(slug(f"{command} {long.lstrip('-')}"))
            page.entries.append(Entry(names[1].strip(), "option", anchor,
                                      f"sim {command}: {shortened(about.strip(), 90)}"))
            words = html.escape(names[1], quote=False)
            shown = shown.replace(words, f'<b id="{anchor}">{words}</b>', 1)
        elif re.fullmatch(r"[A-Z][^.]*:", line):
            shown = f"<strong>{shown}</strong>"
        marked.append(shown)
    return ('<figure class="code help"><pre tabindex="0"><code>' + "\n".join(marked) +
            "</code></pre></figure>")


# Where the manual describes a command whose page has another name.
MANUAL_OF = {"run": ["sim-run", "sim-run-io", "sim-run-messages"], "list": ["sim"],
             "report": ["sim-plot"], "compare": ["sim-plot"]}


def manual_links(name):
    links = ", ".join(f'<a href="manual/{each}.html">{each}(1)</a>'
                      for each in MANUAL_OF.get(name, [f"sim-{name}"]))
    return f"<p>The manual explains it in full: {links}.</p>"


def command_page(program, name, summary):
    page = Page(f"reference/{name}.html", f"sim {name}", SECTION, "", label=f"sim {name}")
    page.entries.append(Entry(page.title, "command", "", summary))
    anchors = Anchors()
    parts = [f"<h1>sim {name}</h1>", f'<p class="lead">{html.escape(sentence(summary))}</p>',
             manual_links(name)]
    if name == "run":
        below = [("COLLECTIVE", ["bcast"]), ("write|read", ["write"]),
                 ("pingpong", ["pingpong"]), ("loggp", ["loggp"])]
    else:
        below = [(sub, [sub]) for sub, _ in program.subcommands(name)]
        if "Subcommands:" not in program.output(name, "--help"):
            below = []
        parts.append(help_block(program.output(name, "--help"), page, anchors, name))
    for title, words in below:
        command = f"{name} {words[0] if title != 'COLLECTIVE' else title}"
        anchor = anchors.take(slug(command))
        page.entries.append(Entry(f"sim {name} {title}", "command", anchor))
        parts.append(heading(2, f"sim {name} {title}", anchor))
        parts.append(help_block(program.output(name, *words, "--help"), page, anchors, command))
    page.body = "\n".join(parts)
    return page


def heading(level, text, anchor):
    return (f'<h{level} id="{anchor}">{html.escape(text)}<a class="anchor" href="#{anchor}" '
            f'aria-label="Link to this section">#</a></h{level}>')


def sentence(text):
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def columns_page(program, manual_sources):
    """The columns of each workload's results, as the manual's generated part has them."""
    from manual import definitions  # both render the manual's items
    titles = {"collectives": "Collectives", "io": "Collective I/O",
              "pingpong": "sim run pingpong", "loggp": "sim run loggp"}
    groups = re.findall(r'^\.\\" columns (\w+)', manual_sources, re.M)
    order = [name for name in titles if name in groups]
    order += [name for name in groups if name not in titles]
    page = Page("reference/columns.html", "Columns of the results", SECTION, "")
    page.entries.append(Entry(page.title, "page"))
    anchors = Anchors()
    parts = ["<h1>Columns of the results</h1>",
             "<p>The formats <code>csv</code>, <code>json</code> and <code>jsonl</code> have these "
             "columns or keys. Values are in SI base units, and a name ends with its unit "
             "(<code>time_s</code>, <code>message_bytes</code>). A missing value is empty in CSV "
             "and <code>null</code> in JSON.</p>"]
    for group in order:
        title = titles.get(group, group)
        parts.append(heading(2, title, anchors.take(slug(title))))
        roff = program.output("manual", text=f'.SH X\n.\\" columns {group}\n')
        parts.append(definitions(roff, page, anchors, "column", title))
    page.body = "\n".join(parts)
    return page


def code(text):
    return f"<code>{html.escape(str(text))}</code>"


def algorithms_page(program):
    listed = json.loads(program.output("list", "algorithms", "--format", "json"))["algorithms"]
    page = Page("reference/algorithms.html", "Algorithms", SECTION, "")
    page.entries.append(Entry(page.title, "page", "", "sim list algorithms"))
    parts = ["<h1>Algorithms</h1>",
             f"<p>The {len(listed)} algorithms of <code>sim list algorithms</code>. "
             "Number and name are Open MPI's.</p>"]
    anchors = Anchors()
    for collective in dict.fromkeys(each["collective"] for each in listed):
        anchor = anchors.take(slug(collective))
        parts.append(heading(2, collective, anchor))
        page.entries.append(Entry(collective, "collective", anchor))
        rows = []
        for each in (one for one in listed if one["collective"] == collective):
            place = anchors.take(slug(f"{collective} {each['name']}"))
            page.entries.append(Entry(f"{collective} {each['name']}", "algorithm", place,
                                      shortened(each["summary"])))
            has = each["parameters"]
            options = [code(option) for name, option in
                       (("segment_size", "--segment-size"), ("fanout", "--fanout"),
                        ("max_requests", "--max-requests")) if has.get(name)]
            rows.append(["" if each["id"] is None else each["id"],
                         f'<code id="{place}">{html.escape(each["name"])}</code>',
                         html.escape(each["summary"]), " ".join(options),
                         html.escape(each["restriction"] or ""), html.escape(each["reference"])])
        parts.append(table(["No.", "Algorithm", "What it does", "Options", "Requires",
                            "Reference"], rows, numbers={0}))
    page.body = "\n".join(parts)
    return page


def platforms_page(program):
    listed = json.loads(program.output("list", "platforms", "--format", "json"))["platforms"]
    page = Page("reference/platforms.html", "Platforms", SECTION, "")
    page.entries.append(Entry(page.title, "page", "", "sim list platforms"))
    rows = []
    for each in listed:
        page.entries.append(Entry(each["name"], "platform", slug(each["name"]),
                                  shortened(each["description"])))
        rows.append([f'<code id="{slug(each["name"])}">{html.escape(each["name"])}</code>',
                     f"{each['hosts']:,}", f"{each['cores_per_host']:,}", html.escape(each["kind"]),
                     html.escape(each["description"])])
    page.body = ("<h1>Platforms</h1><p>The machines of <code>sim list platforms</code>; the "
                 '<a href="../platforms/catalog/index.html">catalog</a> gives the source of every '
                 "value.</p>" + table(["Name", "Nodes", "Cores per node", "Network", "Description"],
                                      rows, numbers={1, 2}))
    return page


def listing_page(program, what, title, intro, kinds):
    """All tables of `sim list WHAT`, with the keys as heads."""
    listed = json.loads(program.output("list", what, "--format", "json"))
    page = Page(f"reference/{what}.html", title, SECTION, "")
    page.entries.append(Entry(title, "page", "", f"sim list {what}"))
    anchors = Anchors()
    parts = [f"<h1>{title}</h1><p>{intro}</p>"]
    for name, rows in listed.items():
        if not isinstance(rows, list) or not rows:
            continue
        if len([1 for value in listed.values() if isinstance(value, list)]) > 1:
            words = sentence(name.replace("_", " ").replace("mpi", "MPI")).rstrip(".")
            parts.append(heading(2, words, anchors.take(slug(words))))
        heads = list(rows[0])
        main = next(head for head in ("name", "key") if head in heads)
        cells = []
        for row in rows:
            anchor = anchors.take(slug(str(row[main]).replace("/", "-")))
            about = row.get("summary") or row.get("effect") or row.get("without_effect") or ""
            page.entries.append(Entry(str(row[main]), kinds.get(name, "entry"), anchor,
                                      shortened(about)))
            cells.append([f'<code id="{anchor}">{html.escape(str(row[head]))}</code>'
                          if head == main else html.escape(str(row.get(head) or ""))
                          for head in heads])
        parts.append(table([sentence(head.replace("_", " ")).rstrip(".") for head in heads],
                           cells))
    page.body = "\n".join(parts)
    return page


def topic_page(program, topic, title):
    body = f"<h1>{title}</h1>" + code_block(program.output("help", topic), "text")
    return Page(f"reference/{topic}.html", title, SECTION, body,
                entries=[Entry(title, "page", "", f"sim help {topic}")])


def found_once(command_pages, manual):
    """The search leads to the manual's longer text where there is one, not to the help as well."""
    described = {page.title.removesuffix("(1)"):
                 {entry.text for entry in page.entries if entry.kind == "option"}
                 for page in manual}
    for page in command_pages:
        name = page.title.removeprefix("sim ")
        there = set().union(*(described.get(each, set()) for each in MANUAL_OF.get(
            name, [f"sim-{name}"])))
        page.entries = [entry for entry in page.entries if entry.kind != "option" or
                        not there.intersection(option_names(entry.text))]


def reference_pages(program):
    """All pages of the reference, the overview first."""
    from manual import manual_pages, manual_sources
    sources = manual_sources(program.root)
    commands = [pair for pair in program.subcommands() if pair[0] != "help"]
    command_pages = [command_page(program, *pair) for pair in commands]
    lists = [
        columns_page(program, sources),
        algorithms_page(program),
        platforms_page(program),
        listing_page(program, "tunables", "Protocol parameters",
                     "The parameters of the message protocol (<code>sim list tunables</code>), "
                     "Open MPI's parameters that set them, and those of Open MPI that have no "
                     "effect on a simulation.",
                     {"tunables": "key"}),
        listing_page(program, "mockups", "Mock-ups",
                     "Collectives implemented by others, with the performance guideline that each "
                     "belongs to (<code>sim list mockups</code>).", {"mockups": "mock-up"}),
        topic_page(program, "units", "Numbers and units"),
        topic_page(program, "exit-codes", "Exit codes"),
    ]
    manual = manual_pages(program)
    found_once(command_pages, manual)
    rows = [[f'<a href="{name}.html"><code>sim {name}</code></a>', html.escape(sentence(about))]
            for name, about in commands]
    links = "".join(f'<li><a href="{page.path.removeprefix("reference/")}">'
                    f"{html.escape(page.title)}</a></li>" for page in [*lists, *manual])
    start = Page("reference/index.html", "Reference", SECTION,
                 "<h1>Reference</h1><p>Everything here is generated from the declarations of "
                 f"{html.escape(program.output('--version').strip())}.</p>"
                 "<h2 id='commands'>Commands</h2>" + table(["Command", "Purpose"], rows) +
                 f"<h2 id='tables-and-manual'>Tables and manual</h2><ul>{links}</ul>",
                 label="Overview", entries=[Entry("Reference", "page")])
    return [start, *command_pages, *lists, *manual]
