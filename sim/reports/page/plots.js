// Small multiples drawn by Chart.js, with one legend. Dragging zooms in, a double click resets.
const drawn = [];  // pairs of a chart and its picture
const samples = [];  // functions that draw the samples of the legends
// By SeriesLook::mark: point style and rotation in degrees.
const marks = [['circle', 0], ['rect', 0], ['triangle', 0], ['rectRot', 0], ['triangle', 180], ['rectRounded', 0]];
const dashes = [[], [8, 4], [2, 3]];
const dashOf = (look) => dashes[look.round % dashes.length];

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

// Powers of two; finer round numbers if these are few.
function marksOfRatios(low, high) {
  const marks = [];
  const step = Math.max(1, Math.ceil((Math.log2(high) - Math.log2(low)) / 9));
  for (let power = Math.ceil(Math.log2(low) / step) * step; power <= Math.log2(high) + 1e-9; power += step)
    marks.push(2 ** power);
  if (marks.length > 2) return marks;
  const fine = [0.25, 0.33, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4]
    .filter((mark) => mark >= low && mark <= high);
  if (fine.length > 1) return fine;
  const size = 10 ** Math.floor(Math.log10((high - low) / 4));
  const even = [];
  for (let i = Math.ceil(low / size); i * size <= high; ++i) if (i % 2 === 0) even.push(i * size);
  return even.length < 12 ? even : even.filter((_, i) => i % 5 === 0);
}

const ratioText = (value) => value < 0.2 ? `1/${+(1 / value).toPrecision(4)}x` : `${+value.toPrecision(4)}x`;

function marksOfBytes(low, high) {
  const marks = [];
  const step = Math.max(1, Math.ceil((Math.log2(high) - Math.log2(low)) / 9));
  for (let power = Math.ceil(Math.log2(low) / step) * step; power <= Math.log2(high) + 1e-9; power += step)
    marks.push(2 ** power);
  return marks;
}

// If the points have equal distances, the marks of x are at the points, at every zoom level; else
// they are at round numbers.
function xScale(axis) {
  const labels = new Map(axis.marks.map((mark) => [mark.at, mark.label]));
  return {
    type: axis.log ? 'logarithmic' : 'linear',
    min: axis.low,
    max: axis.high,
    title: {display: true, text: axis.label},
    ticks: {includeBounds: false, autoSkip: true, maxRotation: 0, autoSkipPadding: 14,
            callback: (value) => axis.marks_at_points ? labels.get(value) ?? '' : valueText(axis.quantity, value)},
    afterBuildTicks: (scale) => {
      if (!axis.marks_at_points) {
        const round = (axis.quantity === 'bytes' ? marksOfBytes : marksOfPowers)(scale.min, scale.max);
        if (axis.log && round.length > 1) scale.ticks = round.map((value) => ({value}));
        return;
      }
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
    ticks: {includeBounds: false,  // no tick at an end that is no round number
      callback: (value) => axis.ratio ? ratioText(value) : valueText(axis.quantity, value)},
  };
  if (axis.log)
    scale.afterBuildTicks = (built) => {
      const marks = (axis.ratio ? marksOfRatios : marksOfPowers)(built.min, built.max);
      if (marks.length > 1) built.ticks = marks.map((value) => ({value}));
    };
  return scale;
}

// Marks are hollow if another algorithm ran. Fitted lines have no marks.
function dataset(picture, panel, one) {
  const look = picture.looks[one];
  const [pointStyle, rotation] = marks[look.mark];
  const points = panel.curves[one];
  const isHollow = (i) => Boolean(points[i] && points[i][2]);
  return {
    label: picture.series[one] || picture.y.words,
    data: points.map(([x, y]) => ({x, y})),
    showLine: picture.joined,
    spanGaps: false,
    borderWidth: 2,
    borderDash: dashOf(look),
    pointStyle,
    rotation,
    isHollow,
    pointRadius: picture.has_marks ? 0 : points.map((_, i) => isHollow(i) ? 5.5 : 3.5),
    pointHoverRadius: 6,
    look,
  };
}

// The measured values over a fitted line.
function markDataset(picture, panel, one) {
  const look = picture.looks[one];
  const [pointStyle, rotation] = marks[look.mark];
  const [mark] = picture.keys.filter(({kind}) => kind === 'mark');
  return {
    label: [picture.series[one], mark.words].filter(Boolean).join(', '),
    data: panel.curves[one].flatMap(([x, , , marks]) => (marks || []).map((y) => ({x, y}))),
    showLine: false,
    isHollow: () => false,
    pointStyle,
    rotation,
    pointRadius: 3.5,
    pointHoverRadius: 6,
    look,
  };
}

function datasets(picture, panel) {
  const all = panel.curves.map((_, one) => dataset(picture, panel, one));
  if (!picture.has_marks) return all;
  return [...all, ...panel.curves.map((_, one) => markDataset(picture, panel, one))];
}

// Horizontal lines across a panel, for example at ratio 1.
function levels(picture) {
  return {
    id: 'levels',
    beforeDatasetsDraw(chart) {
      const {ctx: pen, chartArea, scales} = chart;
      for (const level of picture.levels) {
        const y = scales.y.getPixelForValue(level);
        if (y < chartArea.top || y > chartArea.bottom) continue;
        pen.save();
        pen.strokeStyle = colourOf('--faint');
        pen.lineWidth = 1.5;
        pen.beginPath();
        pen.moveTo(chartArea.left, y);
        pen.lineTo(chartArea.right, y);
        pen.stroke();
        pen.restore();
      }
    },
  };
}

function tooltip(picture) {
  const labels = new Map(picture.x.marks.map((mark) => [mark.at, mark.label]));
  return {
    callbacks: {
      title: (items) => items.length ? `${picture.x.label} ${labels.get(items[0].parsed.x)}` : '',
      label: (item) => `${item.dataset.label}: ` +
        (picture.y.ratio ? ratioText(item.parsed.y) : valueText(picture.y.quantity, item.parsed.y)) +
        (item.dataset.isHollow(item.dataIndex) ? ' (ran as another algorithm)' : ''),
    },
  };
}

function paint(chart) {
  for (const each of chart.data.datasets) {
    const colour = seriesColour(each.look);
    each.borderColor = each.pointBorderColor = colour;
    each.backgroundColor = each.pointBackgroundColor =
      each.data.map((_, i) => each.isHollow(i) ? 'transparent' : colour);
  }
  for (const scale of Object.values(chart.options.scales)) {
    scale.grid = {color: colourOf('--line')};
    scale.ticks.color = colourOf('--ink');
    scale.title.color = colourOf('--ink');
  }
}

// The panels of a grid share the axis labels at its edges.
function scalesOf(picture, isInGrid) {
  const scales = {x: xScale(picture.x), y: yScale(picture.y)};
  if (isInGrid) {
    scales.x.title.display = scales.y.title.display = false;
    scales.y.afterFit = (scale) => { scale.width = 62; };
  }
  return scales;
}

function makeChart(canvas, picture, panel) {
  const chart = new Chart(canvas, {
    type: 'line',
    data: {datasets: datasets(picture, panel)},
    plugins: [levels(picture)],
    options: {
      animation: false,
      parsing: true,
      responsive: true,
      maintainAspectRatio: false,
      interaction: {mode: 'nearest', intersect: false, axis: 'xy'},
      plugins: {legend: {display: false}, tooltip: tooltip(picture)},
      scales: scalesOf(picture, picture.columns.length > 0),
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

// While dragging, a rectangle marks the selected range.
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
  window.addEventListener('pointercancel', drop);  // for example a touch that scrolls the page
  holder.addEventListener('dblclick', () => zoomTo(chart, picture, null));
}

// Prepares the canvas of a legend sample and returns its drawing context in this color.
function samplePen(canvas, colour) {
  const [width, height] = [30, 14];
  const sharp = window.devicePixelRatio || 1;
  Object.assign(canvas, {width: width * sharp, height: height * sharp});
  Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
  const pen = canvas.getContext('2d');
  pen.scale(sharp, sharp);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 2;
  return pen;
}

function sampleLine(pen, dash) {
  pen.setLineDash(dash);
  pen.beginPath();
  pen.moveTo(0, 7);
  pen.lineTo(30, 7);
  pen.stroke();
  pen.setLineDash([]);
}

const samplePoint = (pen, [pointStyle, rotation]) =>
  Chart.helpers.drawPoint(pen, {pointStyle, rotation, radius: 4, borderWidth: 2}, 15, 7);

// The sample of a curve, with its color, dash and mark.
function drawSample(canvas, picture, one) {
  const look = picture.looks[one];
  const pen = samplePen(canvas, seriesColour(look));
  if (picture.joined) sampleLine(pen, dashOf(look));
  samplePoint(pen, marks[look.mark]);
}

// The sample of a kind of mark: line, mark or hollow mark.
function drawKey(canvas, kind) {
  const pen = samplePen(canvas, colourOf('--faint'));
  if (kind === 'line') sampleLine(pen, []);
  if (kind === 'hollow') pen.fillStyle = 'transparent';
  if (kind !== 'line') samplePoint(pen, marks[0]);
}

function addSample(legend, words, paintSample) {
  const canvas = element('canvas');
  const painted = () => paintSample(canvas);
  painted();
  samples.push(painted);
  legend.append(element('span', {}, canvas, words));
}

function plotLegend(picture, charts) {
  const legend = element('div', {className: 'legend'});
  if (picture.series.length > 1 && picture.series_title)
    legend.append(element('span', {textContent: `${picture.series_title}:`}));
  for (const one of picture.series.length < 2 ? [] : picture.legend) {
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
        if (picture.has_marks) chart.setDatasetVisibility(one + picture.series.length, shown);
        chart.update();
      }
    });
    legend.append(button);
  }
  for (const {kind, words} of picture.keys)
    addSample(legend, words, (canvas) => drawKey(canvas, kind));
  return legend;
}

function addPanel(panels, picture, panel, heading) {
  const canvas = element('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${picture.y.words} by ${picture.x.label} ${heading}`);
  const holder = element('div', {className: 'canvas'}, canvas);
  const figure = element('figure', {}, holder);
  if (panel.title) figure.prepend(element('figcaption', {textContent: panel.title}));
  panels.append(figure);
  const chart = makeChart(canvas, picture, panel);
  addZoom(holder, chart, picture);
  drawn.push([chart, picture]);
  return chart;
}

// As many panels side by side as fit.
function addWrapped(panels, picture) {
  const count = picture.panels.length;
  panels.className = count === 1 ? 'panels single' : 'panels';
  const least = count === 1 ? '100%' : count <= 4 ? '460px' : '330px';
  panels.style.gridTemplateColumns = `repeat(auto-fill, minmax(min(${least}, 100%), 1fr))`;
  return picture.panels.map((panel) => addPanel(panels, picture, panel, panel.title));
}

// A grid whose rows and columns have headings. Axis labels appear once.
function addGrid(panels, picture) {
  const {rows, columns} = picture;
  const cell = (text, className, row, column) => {
    const made = element('div', {className, textContent: text});
    made.style.gridArea = `${row} / ${column}`;
    panels.append(made);
  };
  panels.className = 'panels grid';
  panels.style.gridTemplateColumns =
    `auto repeat(${columns.length}, minmax(200px, 1fr)) ${rows.length > 1 ? 'auto' : ''}`;
  columns.forEach((name, i) => cell(name, 'heading', 1, i + 2));
  if (rows.length > 1) rows.forEach((name, i) => cell(name, 'upright', i + 2, columns.length + 2));
  cell(picture.y.label, 'upright turned', `2 / 1 / ${rows.length + 2}`, 2);
  cell(picture.x.label, 'heading', `${rows.length + 2} / 2 / ${rows.length + 3}`, columns.length + 2);
  return picture.panels.map((panel, i) => {
    const [row, column] = [Math.floor(i / columns.length), i % columns.length];
    const chart = addPanel(panels, picture, panel, `${columns[column]} ${rows[row] || ''}`);
    panels.lastChild.style.gridArea = `${row + 2} / ${column + 2}`;
    return chart;
  });
}

function addPlots(picture) {
  const panels = element('div');
  const charts = [];
  const scroll = element('div', {className: 'wide'}, panels);
  show('plots', element('h3', {textContent: picture.title}),
    element('p', {className: 'note', textContent: picture.subtitle}),
    plotLegend(picture, charts), scroll,
    ...picture.notes.map((text) => element('p', {className: 'note', textContent: text})));
  charts.push(...(picture.columns.length ? addGrid : addWrapped)(panels, picture));
}

dark.addEventListener('change', () => {
  samples.forEach((paintSample) => paintSample());
  for (const [chart] of drawn) {
    paint(chart);
    chart.update();
  }
});
for (const name of ['beforeprint', 'afterprint'])
  window.addEventListener(name, () => drawn.forEach(([chart]) => chart.resize()));
