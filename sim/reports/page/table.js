// Tables of points with sorting by a click, filters by column, and CSV download. Of a long table only
// the visible rows are elements, so that tables of 10,000 rows scroll and sort without delay.
const rowHeight_px = 26;
const rowsBeyond = 20;
const mostPrinted = 2000;
const mostChoices = 15;  // a column with more values has a text filter
const mostWrapped = 200;  // longer tables do not wrap texts

// Numbers by value, then texts, then empty cells.
function compareCells(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

// Decimals that round to zero are shown without a sign.
function decimalsText(value, digits) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}

// The quantities whose cells differ from those of valueText: the same digits as in text tables.
const digitsOf = {
  'percent': (value) => `${decimalsText(100 * value, 1)} %`,
  'signed percent': (value) => {
    const text = decimalsText(100 * value, 1);
    return `${Number(text) > 0 ? '+' : ''}${text} %`;
  },
  'decimals': (value) => decimalsText(value, 2),
  'fine': (value) => decimalsText(value, 5),
  'ns/B': (value) => valueText('number', value * 1e9),
  // Less than the precision of a simulated time is zero.
  'seconds': (value) => valueText('seconds', Math.abs(value) < 1e-12 ? 0 : value),
};

// Decimals of numbers in ms, so that they are aligned: four digits of the largest and, down to us,
// of the smallest. As in text.
function msDecimals(values) {
  const sizes = values.filter((value) => typeof value === 'number' && value !== 0).map((value) => Math.abs(value) * 1e3);
  if (!sizes.length) return 0;
  const decimals = (ms) => Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(ms))));
  const [least, most] = sizes.reduce(([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)], [Infinity, 0]);
  return Math.max(decimals(most), Math.min(decimals(least), 3));
}

// `decimals`: of a column in ms.
function cellText(value, quantity, decimals = 3) {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  if (quantity === 'ms') return value === 0 ? '0' : (value * 1e3).toFixed(decimals);
  if (digitsOf[quantity]) return digitsOf[quantity](value);
  return quantity === 'number' && Number.isInteger(value) ? String(value) : valueText(quantity, value);
}

// "64 KiB", "1.5ms", "3" as a number; NaN for anything else.
function numberIn(text, quantity) {
  const [, digits, unit] = /^\s*([-+0-9.eE]+)\s*(\S*)\s*$/.exec(text) || [null, '', ''];
  if (!digits || isNaN(+digits)) return NaN;
  if (!unit) return quantity === 'ms' ? +digits * 1e-3 : +digits;
  const known = (units[quantity === 'ms' ? 'seconds' : quantity.replace('signed ', '')] || []).find(([, name]) => name === unit || name === unit.replace('u', 'µ'));
  return known ? +digits * known[0] : NaN;
}

// The test of a filter: "<1ms", ">= 64 KiB" and "=3" compare; other texts are searched for.
function testOf(words, quantity) {
  const [, sign, rest] = /^\s*(<=|>=|<|>|=)?(.*)$/.exec(words);
  const number = numberIn(rest, quantity);
  const same = (value) => Math.abs(value - number) <= 1e-9 * Math.abs(number);
  const compare = {'<': (v) => v < number, '>': (v) => v > number, '<=': (v) => v <= number,
                   '>=': (v) => v >= number, '=': same};
  if (sign && !isNaN(number)) return (value) => typeof value === 'number' && compare[sign](value);
  const part = (sign ? words : rest).trim().toLowerCase();
  return (value) => cellText(value, quantity).toLowerCase().includes(part);
}

function csvField(value) {
  const text = value === null ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function saveAs(name, text) {
  const link = element('a', {href: URL.createObjectURL(new Blob([text], {type: 'text/csv'})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

class PointTable {
  constructor({columns, heads, rows}, name) {
    Object.assign(this, {columns, heads, rows, name});
    this.order = rows.map((_, i) => i);
    this.shown = columns.map((_, i) => i).filter((i) => heads[i].main);
    this.filters = new Map();  // by column: a test of a value
    this.isNumber = columns.map((_, i) => rows.some((row) => typeof row[i] === 'number'));
    this.decimals = columns.map((_, i) => (heads[i].quantity === 'ms' ? msDecimals(rows.map((row) => row[i])) : 0));
    this.wraps = rows.length <= mostWrapped;
    this.body = element('tbody');
    this.head = element('tr');
    this.words = element('tr', {className: 'filters'});
    this.scroll = element('div', {className: 'scroll', tabIndex: 0},
      element('table', {className: this.wraps ? 'data wraps' : 'data'},
        element('thead', {}, this.head, this.words), this.body));
    this.frame = element('div', {className: 'frame'}, this.scroll);
    this.count = element('span', {className: 'count'});
    this.sideways = element('span', {className: 'sideways', textContent: 'scroll sideways for more →'});
    this.element = element('div', {className: 'filtered'}, this.tools(), this.frame);
    this.drawHead();
    this.scroll.addEventListener('scroll', () => this.draw());
    window.addEventListener('resize', () => this.draw());
    window.addEventListener('beforeprint', () => this.drawRows(0, mostPrinted));
    window.addEventListener('afterprint', () => this.draw());
  }

  tools() {
    const save = element('button', {type: 'button', className: 'save', textContent: 'Download CSV'});
    save.addEventListener('click', () => saveAs(`${this.name}.csv`, this.csv()));
    const tools = element('div', {className: 'tools'}, this.count, save, this.sideways);
    const hidden = this.columns.length - this.shown.length;
    if (hidden > 0) {
      const more = element('button', {type: 'button', className: 'more',
        textContent: `Show ${counted(hidden, 'more column')}`});
      more.addEventListener('click', () => {
        this.shown = this.columns.map((_, i) => i);
        more.remove();
        this.drawHead();
        this.draw();
      });
      this.sideways.before(more);
    }
    return tools;
  }

  // All columns of the rows that pass the filters, in the current order, in SI units.
  csv() {
    const lines = this.order.map((i) => this.rows[i]);
    return [this.columns, ...lines].map((line) => line.map(csvField).join(',') + '\n').join('');
  }

  drawHead() {
    this.head.replaceChildren(...this.shown.map((column) => this.header(column)));
    this.words.replaceChildren(...this.shown.map((column) =>
      element('td', {}, this.filterOf(column))));
    this.words.hidden = this.rows.length < 2;
  }

  header(column) {
    const button = element('button', {type: 'button', textContent: this.heads[column].words});
    button.addEventListener('click', () => this.sortBy(column));
    const header = element('th', {scope: 'col', title: this.columns[column],
      className: this.isNumber[column] ? 'number' : ''}, button);
    if (this.sorted && this.sorted.column === column)
      header.setAttribute('aria-sort', this.sorted.down ? 'descending' : 'ascending');
    return header;
  }

  // A list of the values if they are few, else a text filter.
  filterOf(column) {
    const {quantity, words} = this.heads[column];
    const values = [...new Set(this.rows.map((row) => row[column]))].sort(compareCells);
    const label = `filter ${words}`;
    if (values.length > mostChoices) {
      const input = element('input', {type: 'search', ariaLabel: label,
        placeholder: this.isNumber[column] ? '< > =' : 'filter'});
      input.addEventListener('input', () =>
        this.filterBy(column, input.value.trim() ? testOf(input.value, quantity) : null));
      return input;
    }
    const select = element('select', {ariaLabel: label}, element('option', {value: '', textContent: 'all'}),
      ...values.map((value, i) => element('option', {value: i, textContent: cellText(value, quantity, this.decimals[column]) || 'none'})));
    select.addEventListener('change', () => this.filterBy(column,
      select.value === '' ? null : (value) => value === values[select.value]));
    return select;
  }

  filterBy(column, test) {
    if (test) this.filters.set(column, test);
    else this.filters.delete(column);
    this.arrange();
  }

  sortBy(column) {
    const down = Boolean(this.sorted) && this.sorted.column === column && !this.sorted.down;
    this.sorted = {column, down};
    [...this.head.children].forEach((header, i) => {
      header.removeAttribute('aria-sort');
      if (this.shown[i] === column) header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    });
    this.arrange();
  }

  arrange() {
    const tests = [...this.filters];
    this.order = this.rows.map((_, i) => i).filter((i) =>
      tests.every(([column, test]) => test(this.rows[i][column])));
    if (this.sorted) {
      const {column, down} = this.sorted;
      const value = (i) => this.rows[i][column];
      this.order.sort((a, b) => {
        if (value(a) === null || value(b) === null) return compareCells(value(a), value(b)) || a - b;
        return (down ? -1 : 1) * compareCells(value(a), value(b)) || a - b;
      });
    }
    this.draw();
  }

  spacer(rows) {
    const cell = element('td', {colSpan: this.shown.length});
    cell.style.height = `${rows * rowHeight_px}px`;
    return element('tr', {className: 'spacer'}, cell);
  }

  // The tooltip of a cell is the exact value.
  line(row) {
    return element('tr', {}, ...this.shown.map((i) => element('td', {
      textContent: cellText(row[i], this.heads[i].quantity, this.decimals[i]), title: row[i] === null ? '' : String(row[i]),
      className: this.isNumber[i] ? 'number' : ''})));
  }

  drawRows(first, end) {
    const shown = this.order.slice(first, end).map((i) => this.line(this.rows[i]));
    this.body.replaceChildren(this.spacer(first), ...shown,
      this.spacer(Math.max(0, this.order.length - first - shown.length)));
    this.count.textContent = this.order.length === this.rows.length ?
      counted(this.rows.length, 'row') : `${this.order.length} of ${counted(this.rows.length, 'row')}`;
  }

  // Marks the side on which columns are cut off.
  markCut() {
    const {scrollLeft, scrollWidth, clientWidth} = this.scroll;
    this.frame.classList.toggle('cut', scrollWidth - scrollLeft - clientWidth > 1);
    this.sideways.hidden = scrollWidth <= clientWidth + 1;
  }

  draw() {
    this.drawVisible();
    this.markCut();
  }

  drawVisible() {
    if (this.wraps) return this.drawRows(0, this.order.length);
    const top = Math.floor(this.scroll.scrollTop / rowHeight_px);
    const visible = Math.ceil(this.scroll.clientHeight / rowHeight_px);
    this.drawRows(Math.max(0, top - rowsBeyond), top + visible + rowsBeyond);
  }
}

// Inserts the table before drawing it, because its height is known only then.
function drawTable(section, data, name) {
  const table = new PointTable(data, name);
  show(section, table.element);
  table.draw();
  if (table.scroll.clientHeight < 10 * rowHeight_px) table.drawRows(0, 10 + rowsBeyond);
  if (table.scroll.scrollWidth > table.scroll.clientWidth) table.scroll.classList.add('tight');
  table.markCut();
}

const fileName = (text) => text.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) || 'table';

const notesOf = ({notes}) => notes.map((text) => element('p', {className: 'note', textContent: text}));

function drawPoints(part) {
  if (!part.points.rows.length) return;
  show('points', element('p', {className: 'hint', textContent:
    'Click a column head to sort. Filters accept text, or comparisons such as "<1ms" and ">=64KiB". ' +
    'Hover over a value to see it exactly, in seconds or bytes.'}));
  drawTable('points', part.points, fileName(part.title));
  show('points', ...notesOf(part.points));
}

function drawBesideTable(table) {
  const {title, rows} = table;
  show('tables', element('h3', {textContent: title}));
  if (rows.length) drawTable('tables', table, fileName(title));
  show('tables', ...(rows.length ? [] : [element('p', {textContent: 'none'})]), ...notesOf(table));
}
