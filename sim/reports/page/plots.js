// Small multiples by Chart.js, with one legend; drag zooms, a double click goes back.
const drawn = [];  // pairs of a chart and its picture
const samples = [];  // what draws those of the legends
const pointStyles =
  ['circle', 'rect', 'triangle', 'rectRot', 'star', 'crossRot', 'rectRounded', 'cross'];

const dashes = [[], [8, 4], [2, 3]];
const pointStyleOf = (one) => pointStyles[(one + roundOf(one)) % pointStyles.length];

function marksOfPowers(low, high) {
  const marks = [];
  const few = high / low < 150;
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const digit of few ? [1, 2, 5] : [1]) {
      const mark = digit * 10 ** power;
      if (mark >= low * 0.999999 && mark <= high * 1.000001) marks.push(mark);
    }
  return marks;
}

function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Where the points are: their own marks, however far in one looks.
function xScale(axis) {
  const labels = new Map(axis.marks.map((mark) => [mark.at, mark.label]));
  return {
    type: axis.log ? 'logarithmic' : 'linear',
    min: axis.low,
    max: axis.high,
    title: {display: true, text: axis.label},
    ticks: {autoSkip: true, maxRotation: 0, autoSkipPadding: 14,
            callback: (value) => labels.get(value) ?? ''},
    afterBuildTicks: (scale) => {
      scale.ticks = axis.marks.filter(({at}) => at >= scale.min && at <= scale.max)
        .map(({at}) => ({value: at}));
    },
  };
}

function yScale(axis) {
  const scale = {
    type: axis.log ? 'logarithmic' : 'linear',
    min: axis.low,
    max: axis.high,
    title: {display: true, text: axis.label},
    ticks: {callback: (value) => valueText(axis.quantity, value)},
  };
  if (axis.log)
    scale.afterBuildTicks = (built) => {
      const marks = marksOfPowers(built.min, built.max);
      if (marks.length > 1) built.ticks = marks.map((value) => ({value}));
    };
  return scale;
}

function dataset(picture, panel, one) {
  const colour = seriesColour(picture.colours[one]);
  return {
    label: picture.series[one] || picture.y.words,
    data: panel.curves[one].map(([x, y]) => ({x, y})),
    showLine: picture.joined,
    spanGaps: false,
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    borderDash: dashes[roundOf(one) % dashes.length],
    pointStyle: pointStyleOf(one),
    pointRadius: 3.5,
    pointHoverRadius: 6,
  };
}

function tooltip(picture) {
  const labels = new Map(picture.x.marks.map((mark) => [mark.at, mark.label]));
  return {
    callbacks: {
      title: (items) => items.length ? `${picture.x.label} ${labels.get(items[0].parsed.x)}` : '',
      label: (item) => `${item.dataset.label}: ${valueText(picture.y.quantity, item.parsed.y)}`,
    },
  };
}

function paint(chart) {
  for (const scale of Object.values(chart.options.scales)) {
    scale.grid = {color: colourOf('--line')};
    scale.ticks.color = colourOf('--ink');
    scale.title.color = colourOf('--ink');
  }
}

function makeChart(canvas, picture, panel) {
  const chart = new Chart(canvas, {
    type: 'line',
    data: {datasets: panel.curves.map((_, one) => dataset(picture, panel, one))},
    options: {
      animation: false,
      parsing: true,
      responsive: true,
      maintainAspectRatio: false,
      interaction: {mode: 'nearest', intersect: false, axis: 'xy'},
      plugins: {legend: {display: false}, tooltip: tooltip(picture)},
      scales: {x: xScale(picture.x), y: yScale(picture.y)},
    },
  });
  paint(chart);
  chart.update();
  return chart;
}

function zoomTo(chart, picture, box) {
  for (const name of ['x', 'y']) {
    const options = chart.options.scales[name];
    options.min = box ? box[name][0] : picture[name].low;
    options.max = box ? box[name][1] : picture[name].high;
  }
  chart.update();
}

// A rectangle follows the pointer from where it was pressed.
function addZoom(holder, chart, picture) {
  const least_px = 6;
  let start = null;
  const rubber = element('div', {className: 'rubber', hidden: true});
  holder.append(rubber);
  const place = (event) => {
    const frame = holder.getBoundingClientRect();
    const area = chart.chartArea;
    return {x: Math.min(Math.max(event.clientX - frame.left, area.left), area.right),
            y: Math.min(Math.max(event.clientY - frame.top, area.top), area.bottom)};
  };
  const drop = () => {
    start = null;
    rubber.hidden = true;
  };
  holder.addEventListener('pointerdown', (event) => {
    if (event.button === 0) start = place(event);
  });
  window.addEventListener('pointermove', (event) => {
    if (!start) return;
    const now = place(event);
    rubber.hidden = false;
    Object.assign(rubber.style, {
      left: `${Math.min(start.x, now.x)}px`, top: `${Math.min(start.y, now.y)}px`,
      width: `${Math.abs(start.x - now.x)}px`, height: `${Math.abs(start.y - now.y)}px`});
  });
  window.addEventListener('pointerup', (event) => {
    if (!start) return;
    const [from, to] = [start, place(event)];
    drop();
    if (Math.abs(from.x - to.x) < least_px || Math.abs(from.y - to.y) < least_px) return;
    const values = (name) => [from, to]
      .map((point) => chart.scales[name].getValueForPixel(point[name])).sort((a, b) => a - b);
    zoomTo(chart, picture, {x: values('x'), y: values('y')});
  });
  window.addEventListener('pointercancel', drop);  // a finger that scrolls the page
  holder.addEventListener('dblclick', () => zoomTo(chart, picture, null));
}

// The curve as it is in the plots: its colour, dash and mark.
function drawSample(canvas, picture, one) {
  const [width, height] = [30, 14];
  const sharp = window.devicePixelRatio || 1;
  Object.assign(canvas, {width: width * sharp, height: height * sharp});
  Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
  const pen = canvas.getContext('2d');
  pen.scale(sharp, sharp);
  pen.strokeStyle = pen.fillStyle = seriesColour(picture.colours[one]);
  pen.lineWidth = 2;
  if (picture.joined) {
    pen.setLineDash(dashes[roundOf(one) % dashes.length]);
    pen.beginPath();
    pen.moveTo(0, height / 2);
    pen.lineTo(width, height / 2);
    pen.stroke();
    pen.setLineDash([]);
  }
  Chart.helpers.drawPoint(pen, {pointStyle: pointStyleOf(one), radius: 4, borderWidth: 2},
    width / 2, height / 2);
}

function plotLegend(picture, charts) {
  const legend = element('div', {className: 'legend'});
  if (picture.series.length < 2) return legend;
  for (const one of picture.legend) {
    const sample = element('canvas');
    const paintSample = () => drawSample(sample, picture, one);
    paintSample();
    samples.push(paintSample);
    const button = element('button', {type: 'button'}, sample, picture.series[one]);
    button.setAttribute('aria-pressed', 'true');
    button.addEventListener('click', () => {
      const shown = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(shown));
      for (const chart of charts) {
        chart.setDatasetVisibility(one, shown);
        chart.update();
      }
    });
    legend.append(button);
  }
  return legend;
}

function addPlots(picture) {
  const count = picture.panels.length;
  const panels = element('div', {className: count === 1 ? 'panels single' : 'panels'});
  const least = count === 1 ? '100%' : count <= 4 ? '460px' : '330px';
  panels.style.gridTemplateColumns = `repeat(auto-fill, minmax(min(${least}, 100%), 1fr))`;
  const charts = [];
  show('plots', element('h3', {textContent: picture.title}),
    element('p', {className: 'note', textContent: picture.subtitle}),
    plotLegend(picture, charts), panels,
    ...picture.notes.map((text) => element('p', {className: 'note', textContent: text})));
  for (const panel of picture.panels) {
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `${picture.y.words} by ${picture.x.label} ${panel.title}`);
    const holder = element('div', {className: 'canvas'}, canvas);
    panels.append(element('figure', {},
      element('figcaption', {textContent: panel.title}), holder));
    const chart = makeChart(canvas, picture, panel);
    addZoom(holder, chart, picture);
    charts.push(chart);
    drawn.push([chart, picture]);
  }
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  samples.forEach((paintSample) => paintSample());
  for (const [chart, picture] of drawn) {
    chart.data.datasets.forEach((each, one) => {
      each.borderColor = each.backgroundColor = seriesColour(picture.colours[one]);
    });
    paint(chart);
    chart.update();
  }
});
for (const name of ['beforeprint', 'afterprint'])
  window.addEventListener(name, () => drawn.forEach(([chart]) => chart.resize()));
