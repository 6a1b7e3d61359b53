// SPDX-License-Identifier: BSD-3-Clause
// Search, copy buttons, the menu of small screens, light and dark. Works on pages opened as files.
"use strict";
(() => {
  const root = document.body.dataset.root;
  const input = document.getElementById("search");
  const list = document.getElementById("results");
  const at_most = 12;
  const weight = { command: 9, option: 8, column: 8, key: 8, page: 9, algorithm: 7, collective: 7,
    platform: 7, heading: 6, manual: 6 };

  // Lower case, with `-` and `_` alike: message-size finds message_size.
  const normal = (text) => text.toLowerCase().replace(/[-_]+/g, " ").trim();
  const index = (window.searchIndex || []).map((entry) => ({ ...entry,
    title: normal(entry.t), text: normal(`${entry.t} ${entry.p} ${entry.a}`),
    exact: entry.t.toLowerCase() }));

  // 0: does not match. Every word must occur; the title counts most.
  function score(entry, query, words) {
    let points = weight[entry.k] || 3;
    for (const word of words) {
      const place = entry.title.indexOf(word);
      if (place === 0) points += 30;
      else if (place > 0) points += entry.title[place - 1] === " " ? 22 : 10;
      else if (entry.text.includes(word)) points += 2;
      else return 0;
    }
    const asked = normal(query);
    if (entry.title === asked) points += 100;
    else if (entry.title.split(/[ ,]+/).join(" ").startsWith(asked)) points += 25;
    if (entry.exact.split(/[\s,]+/).includes(query.toLowerCase())) points += 60;
    return points - Math.min(entry.t.length / 20, 4);
  }

  function find(query) {
    const words = normal(query).split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    return index.map((entry) => [score(entry, query.trim(), words), entry])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, at_most).map(([, entry]) => entry);
  }
  window.findInDocumentation = find;

  let chosen = -1;
  function choose(number) {
    const items = [...list.querySelectorAll("li[role=option]")];
    if (items.length === 0) return;
    chosen = (number + items.length) % items.length;
    items.forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
    items[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[chosen].id);
  }
  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }
  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }
  function show() {
    const query = input.value;
    if (!query.trim()) return close();
    const found = find(query);
    list.replaceChildren(...found.map((entry, i) => {
      const item = document.createElement("li");
      item.id = `result-${i}`;
      item.setAttribute("role", "option");
      const link = document.createElement("a");
      link.href = root + entry.u;
      link.append(element("b", entry.t), element("i", entry.k),
        element("small", entry.a || (entry.t === entry.p ? "" : entry.p)));
      item.append(link);
      return item;
    }));
    if (found.length === 0) {
      const none = element("li", `No page, option or column matches '${query.trim()}'.`);
      none.className = "none";
      list.append(none);
    }
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(0);
  }
  input.addEventListener("input", show);
  // index.html?q=WORDS opens with the results of a search.
  const asked = new URLSearchParams(window.location.search).get("q");
  if (asked) { input.value = asked; show(); }
  input.addEventListener("focus", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") {
      const link = list.querySelector("[aria-selected=true] a");
      if (link) { close(); input.blur(); window.location.href = link.href; }
      return;
    } else if (event.key === "Escape") { close(); input.blur(); return; }
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search") || event.target.closest("#results a")) close();
  });

  // Of a session, the commands alone.
  function copied_text(figure) {
    const commands = [...figure.querySelectorAll(".command")];
    if (commands.length === 0) return figure.querySelector("code").textContent;
    return commands.map((line) => line.textContent.replace(/^\$ /, "")).join("\n") + "\n";
  }
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
      const text = copied_text(button.parentElement);
      let done = true;
      try {
        await navigator.clipboard.writeText(text);
      } catch (error) {  // not allowed on a page that is a file
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        done = document.execCommand("copy");
        area.remove();
      }
      button.textContent = done ? "Copied" : "Select and copy";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  const menu = document.getElementById("menu");
  menu.addEventListener("click", () => {
    const open = document.body.classList.toggle("menu-open");
    menu.setAttribute("aria-expanded", String(open));
  });
  document.getElementById("theme").addEventListener("click", () => {
    const html = document.documentElement;
    const dark = html.dataset.theme ? html.dataset.theme === "dark"
      : window.matchMedia("(prefers-color-scheme: dark)").matches;
    html.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("tutti-theme", html.dataset.theme); } catch (error) { /* a file */ }
  });
  const sidebar = document.getElementById("sidebar");
  const current = sidebar.querySelector("[aria-current]");
  if (current) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;
})();
