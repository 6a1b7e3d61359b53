// Elements, and values as people read them. Text goes into the page as text, never as markup.
const page = JSON.parse(document.getElementById('data').textContent);

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

// The part of the page that is being made.
let place = null;

// In the part's section of that name.
function show(name, ...children) {
  const section = place.querySelector(`.${name}`);
  section.append(...children);
  section.hidden = false;
}

const units = {
  seconds: [[1e-9, 'ns'], [1e-6, 'µs'], [1e-3, 'ms'], [1, 's']],
  bytes: [[1, 'B'], [2 ** 10, 'KiB'], [2 ** 20, 'MiB'], [2 ** 30, 'GiB'], [2 ** 40, 'TiB']],
};

// "1.5 µs", "64 KiB", "5000 B", "1.83": sizes as all other reports have them.
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

// How often all colours were used before: those series have another dash, mark or hatch.
const colourCount = 8;
const roundOf = (series) => Math.floor(series / colourCount);

// Black is no colour on black paper.
const blackSeries = '#000000';
function seriesColour(colour) {
  if (colour !== blackSeries) return colour;
  return getComputedStyle(document.documentElement).getPropertyValue('--black-series').trim();
}
