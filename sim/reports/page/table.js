// The points. Only the rows in sight are elements, so that 10,000 of them scroll and sort at once.
const rowHeight_px = 26;
const rowsBeyond = 20;
const mostPrinted = 2000;

// Numbers by size, then texts, nothing last whichever way.
function compareCells(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function quantityOf(column) {
  if (column.endsWith('_bytes') || column === 'bytes_per_proc') return 'bytes';
  return column.endsWith('_s') && column !== 'n_s' ? 'seconds' : 'number';
}

// With a unit where the column has one; the exact value is told to the mouse.
function tableCell(value, quantity, isNumber) {
  const exact = value === null ? '' : String(value);
  const hasUnit = typeof value === 'number' && (quantity !== 'number' || !Number.isInteger(value));
  return element('td', {textContent: hasUnit ? valueText(quantity, value) : exact, title: exact,
                        className: isNumber ? 'number' : ''});
}

class PointTable {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.quantities = columns.map(quantityOf);
    this.order = rows.map((_, i) => i);
    this.isNumber = columns.map((_, i) => rows.some((row) => typeof row[i] === 'number'));
    this.body = element('tbody');
    this.head = element('tr', {}, ...columns.map((name, i) => this.header(name, i)));
    this.scroll = element('div', {className: 'scroll', tabIndex: 0},
      element('table', {className: 'data'}, element('thead', {}, this.head), this.body));
    this.scroll.addEventListener('scroll', () => this.draw());
    window.addEventListener('resize', () => this.draw());
    window.addEventListener('beforeprint', () => this.drawRows(0, mostPrinted));
    window.addEventListener('afterprint', () => this.draw());
  }

  header(name, column) {
    const button = element('button', {type: 'button', textContent: name});
    button.addEventListener('click', () => this.sortBy(column));
    return element('th', {scope: 'col', className: this.isNumber[column] ? 'number' : ''}, button);
  }

  sortBy(column) {
    const header = this.head.children[column];
    const down = header.getAttribute('aria-sort') === 'ascending';
    for (const each of this.head.children) each.removeAttribute('aria-sort');
    header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const value = (i) => this.rows[i][column];
    this.order.sort((a, b) => {
      if (value(a) === null || value(b) === null) return compareCells(value(a), value(b)) || a - b;
      return (down ? -1 : 1) * compareCells(value(a), value(b)) || a - b;
    });
    this.draw();
  }

  spacer(rows) {
    const cell = element('td', {colSpan: this.columns.length});
    cell.style.height = `${rows * rowHeight_px}px`;
    return element('tr', {className: 'spacer'}, cell);
  }

  line(row) {
    return element('tr', {}, ...row.map((value, i) =>
      tableCell(value, this.quantities[i], this.isNumber[i])));
  }

  drawRows(first, end) {
    const shown = this.order.slice(first, end).map((i) => this.line(this.rows[i]));
    this.body.replaceChildren(this.spacer(first), ...shown,
      this.spacer(Math.max(0, this.rows.length - first - shown.length)));
  }

  draw() {
    const top = Math.floor(this.scroll.scrollTop / rowHeight_px);
    const visible = Math.ceil(this.scroll.clientHeight / rowHeight_px);
    this.drawRows(Math.max(0, top - rowsBeyond), top + visible + rowsBeyond);
  }
}

// Into a section that is there already: the height of a table is known only then.
function drawTable(section, columns, rows) {
  const table = new PointTable(columns, rows);
  show(section, table.scroll);
  table.draw();
  if (table.scroll.clientHeight < 10 * rowHeight_px) table.drawRows(0, 10 + rowsBeyond);
}

function drawPoints(part) {
  if (!part.points.rows.length) return;
  show('points', element('p', {className: 'hint', textContent:
    'Click a column to sort by it; the mouse is told the exact value, in seconds or bytes.'}));
  drawTable('points', part.points.columns, part.points.rows);
}

function drawBesideTable({title, columns, rows, notes}) {
  show('tables', element('h3', {textContent: title}));
  if (rows.length) drawTable('tables', columns, rows);
  show('tables', ...(rows.length ? [] : [element('p', {textContent: 'none'})]),
    ...notes.map((text) => element('p', {className: 'note', textContent: text})));
}
