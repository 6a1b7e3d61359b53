// The call tree of a replay: its nodes open and close; times before and after, waits. Only visible
// nodes are elements.
const openShare = 0.05;  // nodes with this share of the time are open at first
const mostOpen = 30;

// The rows of a table with columns `path` and `parent`, as a forest. Sums include the nodes inside.
function callTrees({columns, rows}) {
  const at = Object.fromEntries(columns.map((name, i) => [name, i]));
  const nodes = new Map(rows.map((row) => [row[at.path], {
    name: row[at.call_path], children: [],
    own: {before: row[at.before_s], after: row[at.after_s]},
    all: {before: row[at.inclusive_before_s], after: row[at.inclusive_after_s]},
    waits: {before: row[at.waits_before_s] || 0, after: row[at.waits_after_s] || 0},
    visits: row[at.after_visits]}]));
  const roots = [];
  for (const row of rows) {
    const node = nodes.get(row[at.path]);
    const parent = nodes.get(row[at.parent]);  // none for a root
    (parent ? parent.children : roots).push(node);
    if (parent) node.name = node.name.slice(parent.name.length + 1);
  }
  return roots;
}

// Names are shortened after their parents' whole names were used, so children come first.
function shortNames(table) {
  const at = table.columns.indexOf('call_path');
  return {...table, rows: [...table.rows].sort((a, b) => b[at].length - a[at].length)};
}

class CallTree {
  constructor(table) {
    this.roots = callTrees(shortNames(table));
    this.total = this.roots.reduce((sum, {all}) => sum + Math.max(all.before, all.after), 0);
    this.decimals = msDecimals(table.rows.flatMap((row) => row.filter((_, i) =>
      /^(before|after|inclusive_before|inclusive_after)_s$/.test(table.columns[i]))));
    this.finish(this.roots);
    this.openFirst();
    this.body = element('tbody');
    this.element = element('div', {className: 'filtered'}, this.tools(), element('div', {className: 'scroll', tabIndex: 0},
      element('table', {className: 'data tree'}, element('thead', {}, this.head()), this.body)));
    this.draw();
  }

  // Adds the waits of the nodes inside, and sorts nodes by their time.
  finish(nodes) {
    for (const node of nodes) {
      this.finish(node.children);
      node.allWaits = {...node.waits};
      for (const {allWaits} of node.children) {
        node.allWaits.before += allWaits.before;
        node.allWaits.after += allWaits.after;
      }
    }
    nodes.sort((a, b) => Math.max(b.all.before, b.all.after) - Math.max(a.all.before, a.all.after));
  }

  openFirst() {
    let rows = this.roots.length;
    let level = this.roots;
    while (level.length) {
      const next = [];
      for (const node of level) {
        const matters = Math.max(node.all.before, node.all.after) >= openShare * this.total;
        if (!node.children.length || !matters || rows + node.children.length > mostOpen) continue;
        node.isOpen = true;
        rows += node.children.length;
        next.push(...node.children);
      }
      level = next;
    }
  }

  tools() {
    const button = (text, isOpen) => {
      const made = element('button', {type: 'button', textContent: text});
      made.addEventListener('click', () => { this.setAll(this.roots, isOpen); this.draw(); });
      return made;
    };
    return element('div', {className: 'tools'}, button('Open all', true), button('Close all', false));
  }

  setAll(nodes, isOpen) {
    for (const node of nodes) {
      node.isOpen = isOpen;
      this.setAll(node.children, isOpen);
    }
  }

  head() {
    const heads = [['Call tree', ''], ['Original (ms)', 'Time with the calls inside, sum over all ranks'],
      ['Replayed (ms)', 'Time with the calls inside, sum over all ranks'], ['Change', ''],
      ['Own (ms)', 'Replayed time without the calls inside'],
      ['Waits, original (ms)', 'Time in wait states, with the calls inside'],
      ['Waits, replayed (ms)', 'Time in wait states, with the calls inside'], ['Visits', '']];
    return element('tr', {}, ...heads.map(([textContent, title], i) =>
      element('th', {scope: 'col', title, className: i ? 'number' : '', textContent})));
  }

  draw() {
    const lines = [];
    const add = (nodes, depth) => nodes.forEach((node) => {
      lines.push(this.line(node, depth));
      if (node.isOpen) add(node.children, depth + 1);
    });
    add(this.roots, 0);
    this.body.replaceChildren(...lines);
  }

  line(node, depth) {
    const ms = (value) => (value ? (value * 1e3).toFixed(this.decimals) : '0');
    const {before, after} = node.all;
    const change = before > 0 && before >= 1e-3 * after ? digitsOf['signed percent'](after / before - 1) : '';
    const cells = [[ms(before), before], [ms(after), after], [change], [ms(node.own.after), node.own.after],
      [ms(node.allWaits.before), node.allWaits.before], [ms(node.allWaits.after), node.allWaits.after],
      [String(node.visits ?? '')]];
    return element('tr', {}, this.nameCell(node, depth), ...cells.map(([textContent, exact]) =>
      element('td', {className: 'number', textContent, title: exact === undefined ? '' : `${exact} s`})));
  }

  nameCell(node, depth) {
    const sign = element(node.children.length ? 'button' : 'span', {className: 'fold',
      textContent: node.children.length ? (node.isOpen ? '▾' : '▸') : ''});
    if (node.children.length) {
      sign.type = 'button';
      sign.ariaLabel = `${node.isOpen ? 'close' : 'open'} ${node.name}`;
      sign.setAttribute('aria-expanded', Boolean(node.isOpen));
      sign.addEventListener('click', () => { node.isOpen = !node.isOpen; this.draw(); });
    }
    const share = element('span', {className: 'share'});
    share.style.width = `${100 * (this.total ? node.all.after / this.total : 0)}%`;
    const cell = element('td', {className: 'node'}, sign, element('span', {textContent: node.name}), share);
    cell.style.paddingLeft = `${0.3 + 1.1 * depth}rem`;
    return cell;
  }
}

// A tree without inner nodes has no column `parent`.
const isCallTree = ({columns}) => ['path', 'inclusive_after_s'].every((name) => columns.includes(name));

function drawCallTree(table) {
  show('calls', new CallTree(table).element,
    element('p', {className: 'note', textContent: 'Sums over all ranks, with the calls inside; bars are shares of the replayed time.'}));
}
