// Creates elements and formats values for readers. Texts are inserted as text, never as markup.
const page = JSON.parse(document.getElementById('data').textContent);

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

// The part of the page that is under construction.
let place = null;

// Appends to the section of this name in the current part, and makes it visible.
function show(name, ...children) {
  const section = place.querySelector(`.${name}`);
  section.append(...children);
  section.hidden = false;
}

const units = {
  seconds: [[1e-9, 'ns'], [1e-6, 'µs'], [1e-3, 'ms'], [1, 's']],
  percent: [[0.01, '%']],
  rate: [[1, 'B/s'], [1e3, 'kB/s'], [1e6, 'MB/s'], [1e9, 'GB/s'], [1e12, 'TB/s']],
  bytes: [[1, 'B'], [2 ** 10, 'KiB'], [2 ** 20, 'MiB'], [2 ** 30, 'GiB'], [2 ** 40, 'TiB']],
};

// "1.5 µs", "64 KiB", "5000 B", "1.83". Sizes have the same form as in all other reports.
function valueText(quantity, value) {
  if (value === 0) return quantity === 'bytes' ? '0 B' : '0';
  const scales = units[quantity] || [[1, '']];
  const isSize = quantity === 'bytes' && Number.isInteger(value);
  const fitting = scales.filter(([factor]) =>
    isSize ? value % factor === 0 : Math.abs(value) >= factor * 0.9995);
  const [factor, unit] = fitting.length ? fitting[fitting.length - 1] : scales[0];
  const number = String(+(value / factor).toPrecision(quantity === 'bytes' ? 12 : 4));
  return unit ? `${number} ${unit}` : number;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
