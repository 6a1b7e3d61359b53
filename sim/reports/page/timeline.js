// Timelines of ranks: rows of bars on a canvas, with details on hover, zoom and pan. Where several
// spans fall on one pixel, the series that takes most of it is drawn.
const timelineSizes = {bar: 16, barGap: 2, rowGap: 12, top: 4, axis: 40};
const mostArrows = 400;  // with more in view, none is drawn
const closestZoom = 1e-7;  // of the whole time

// Spans as arrays of begins, ends and series, from [gap, length, series, ...] in units from `low`.
function decodedSpans(flat, low, unit) {
  const count = flat.length / 3;
  const spans = {from: new Float64Array(count), to: new Float64Array(count), series: new Uint8Array(count)};
  for (let i = 0, at = 0; i < count; ++i) {
    spans.from[i] = low + (at += flat[3 * i]) * unit;
    spans.to[i] = low + (at += flat[3 * i + 1]) * unit;
    spans.series[i] = flat[3 * i + 2];
  }
  return spans;
}

// The first span that ends after `time`.
function firstSpan({to}, time) {
  let [low, high] = [0, to.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (to[middle] > time) high = middle; else low = middle + 1;
  }
  return low;
}

// The visible part of the time, inside the whole.
class TimelineView {
  constructor({low, high}) {
    Object.assign(this, {all: {low, high}, low, high});
  }

  get length() { return this.high - this.low; }
  get isWhole() { return this.low <= this.all.low && this.high >= this.all.high; }

  set(low, length) {
    const whole = this.all.high - this.all.low;
    const taken = Math.min(whole, Math.max(length, closestZoom * whole));
    this.low = Math.min(Math.max(low, this.all.low), this.all.high - taken);
    this.high = this.low + taken;
  }

  // Keeps the place of `time` on the screen; a factor below 1 zooms in.
  zoom(factor, time) {
    this.set(time - (time - this.low) * factor, this.length * factor);
  }
}

class TimelineCanvas {
  constructor(picture) {
    this.picture = picture;
    const {low} = picture.x;
    this.rows = picture.rows.map((row) => ({name: row.name,
      bars: row.bars.map((bar) => ({name: bar.name, spans: decodedSpans(bar.spans, low, picture.unit)}))}));
    this.arrows = picture.arrows.map(([fromRow, toRow, bar, from, length]) =>
      [fromRow, toRow, bar, low + from * picture.unit, low + (from + length) * picture.unit]);
    this.view = new TimelineView(picture.x);
    this.unit = this.unitOf(picture.x.high);
    this.canvas = element('canvas', {role: 'img', tabIndex: 0, ariaLabel:
      `${picture.title}. Keys: + and - zoom, arrows move, 0 shows all.`});
    this.tooltip = element('div', {className: 'tooltip', hidden: true});
    this.chosen = element('div', {className: 'chosen', hidden: true});
    this.range = element('span', {className: 'count'});
    this.box = element('div', {className: 'timeline'}, this.canvas, this.chosen, this.tooltip);
    this.pointers = new Map();
    this.listen();
    window.addEventListener('resize', () => this.draw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  unitOf(time) {
    const fitting = units.seconds.filter(([factor]) => time >= 10 * factor);
    return fitting.length ? fitting[fitting.length - 1] : units.seconds[0];
  }

  // ---- control ----

  tools() {
    const button = (text, label, act) => {
      const made = element('button', {type: 'button', textContent: text, ariaLabel: label, title: label});
      made.addEventListener('click', () => { act(); this.draw(); });
      return made;
    };
    return element('div', {className: 'tools'},
      button('+', 'Zoom in', () => this.zoomBy(0.5)), button('−', 'Zoom out', () => this.zoomBy(2)),
      button('←', 'Earlier', () => this.pan(-0.5)), button('→', 'Later', () => this.pan(0.5)),
      button('All', 'Show all of the time', () => this.showAll()), this.range);
  }

  zoomBy(factor, time = (this.view.low + this.view.high) / 2) { this.view.zoom(factor, time); }
  pan(part) { this.view.set(this.view.low + part * this.view.length, this.view.length); }
  showAll() { this.view.set(this.view.all.low, Infinity); }

  listen() {
    const {canvas} = this;
    canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('dblclick', () => { this.showAll(); this.draw(); });
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.release(event, true));
    canvas.addEventListener('pointercancel', (event) => this.release(event, false));
    canvas.addEventListener('pointerleave', () => { this.tooltip.hidden = true; });
  }

  // The wheel scrolls the page unless the timeline has the focus or Ctrl is pressed.
  wheel(event) {
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    const zooms = !sideways && (event.ctrlKey || document.activeElement === this.canvas);
    if (!zooms && !sideways) return;
    event.preventDefault();
    if (sideways) this.pan(sideways / 1000);
    else this.zoomBy(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) / 250), this.time(event.offsetX));
    this.draw();
  }

  key(event) {
    const acts = {'+': () => this.zoomBy(0.5), '=': () => this.zoomBy(0.5), '-': () => this.zoomBy(2),
      ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2),
      Home: () => this.pan(-Infinity), End: () => this.pan(Infinity), 0: () => this.showAll(),
      Escape: () => this.showAll()};
    if (!acts[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.key === 'Home') this.view.set(this.view.all.low, this.view.length);
    else if (event.key === 'End') this.view.set(this.view.all.high, this.view.length);
    else acts[event.key]();
    this.draw();
  }

  // A mouse selects the part to show, or pans with Shift; a finger pans, and two fingers zoom.
  press(event) {
    if (event.button > 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, event.offsetX);
    this.start = {x: event.offsetX, low: this.view.low, pans: event.shiftKey || event.pointerType === 'touch'};
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return this.tell(event);
    this.tooltip.hidden = true;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId);
    this.pointers.set(event.pointerId, event.offsetX);
    if (other) this.pinch(before, event.offsetX, other[1]);
    else if (this.start.pans) this.view.set(this.view.low - this.span(event.offsetX - before), this.view.length);
    else return this.choose(event.offsetX);
    this.draw();
  }

  pinch(before, now, other) {
    if (Math.abs(now - other) > 4) this.zoomBy(Math.abs((before - other) / (now - other)), this.time(other));
  }

  choose(x) {
    const [from, to] = this.chosenPart(x);
    Object.assign(this.chosen.style, {left: `${from}px`, width: `${to - from}px`,
      height: `${this.height - timelineSizes.axis}px`});
    this.chosen.hidden = to - from < 4;
  }

  chosenPart(x) {
    const inside = (at) => Math.min(this.right, Math.max(this.left, at));
    return [inside(Math.min(this.start.x, x)), inside(Math.max(this.start.x, x))];
  }

  release(event, isDone) {
    if (!this.pointers.delete(event.pointerId)) return;
    const hasChosen = !this.chosen.hidden;
    this.chosen.hidden = true;
    if (!isDone || !hasChosen) return;
    const [from, to] = this.chosenPart(event.offsetX).map((x) => this.time(x));
    this.view.set(from, to - from);
    this.draw();
  }

  // ---- places ----

  top(row, bar) {
    const s = timelineSizes;
    return s.top + row * this.rowHeight + s.rowGap / 2 + bar * (s.bar + s.barGap);
  }

  measure() {
    const s = timelineSizes;
    const bars = this.rows.length ? this.rows[0].bars.length : 1;
    this.rowHeight = bars * s.bar + (bars - 1) * s.barGap + s.rowGap;
    this.height = s.top + this.rows.length * this.rowHeight + s.axis;
    this.width = Math.max(300, this.box.clientWidth);
    const {pen} = this;
    pen.font = this.font;
    const widest = (texts) => Math.max(0, ...texts.map((text) => pen.measureText(text).width));
    const names = widest(this.rows.map((row) => row.name));
    const small = widest(this.rows.flatMap((row) => row.bars.map((bar) => bar.name)));
    // Whole pixels, so that the colors of merged spans do not mix.
    this.left = Math.ceil(names + (small ? small + 22 : 10));
    this.right = Math.floor(this.width - 12);
  }

  x(time) { return this.left + (time - this.view.low) / this.view.length * (this.right - this.left); }
  time(x) { return this.view.low + this.span(x - this.left); }
  span(pixels) { return pixels / (this.right - this.left) * this.view.length; }

  // ---- drawing ----

  draw() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.pen = this.canvas.getContext('2d');
    this.font = `13px ${getComputedStyle(document.body).fontFamily}`;
    this.measure();
    const sharp = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * sharp);
    this.canvas.height = Math.round(this.height * sharp);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.pen.scale(sharp, sharp);
    this.pen.font = this.font;
    this.pen.textBaseline = 'middle';
    this.drawAxis(colour('--line'), colour('--faint'));
    this.rows.forEach((row, i) => this.drawRow(row, i, colour('--ink'), colour('--faint')));
    this.drawArrows(colour('--ink'));
    this.tellRange();
  }

  tellRange() {
    const {view} = this;
    const text = (time) => this.timeText(time, view.length / 1000);
    this.range.textContent = view.isWhole ? `all ${valueText('seconds', view.length)}` :
      `${text(view.low)} to ${text(view.high)} ${this.unit[1]} (${valueText('seconds', view.length)})`;
  }

  // In the unit of the axis, with the digits that a step of this size needs.
  timeText(time, step) {
    const decimals = Math.max(0, Math.ceil(-Math.log10(step / this.unit[0]) - 1e-9));
    return (time / this.unit[0]).toFixed(Math.min(12, decimals));
  }

  drawAxis(line, faint) {
    const {pen, view} = this;
    const bottom = this.height - timelineSizes.axis + 4;
    const widest = pen.measureText(this.timeText(view.high, view.length / 100)).width + 24;
    const most = Math.max(2, Math.floor((this.right - this.left) / widest));
    const least = view.length / most;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least * 0.999);
    pen.strokeStyle = line;
    pen.fillStyle = faint;
    pen.textAlign = 'center';
    for (let i = Math.ceil(view.low / step - 1e-9); i * step <= view.high * (1 + 1e-12); ++i) {
      const x = Math.round(this.x(i * step)) + 0.5;
      pen.beginPath();
      pen.moveTo(x, timelineSizes.top);
      pen.lineTo(x, bottom);
      pen.stroke();
      const text = this.timeText(i * step, step);
      const half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(x, this.width - half), bottom + 10);
    }
    pen.fillText(`time (${this.unit[1]})`, (this.left + this.right) / 2, bottom + 27);
  }

  drawRow(row, number, ink, faint) {
    const {pen} = this;
    const {bar: height} = timelineSizes;
    const middle = (this.top(number, 0) + this.top(number, row.bars.length - 1) + height) / 2;
    pen.textAlign = 'left';
    pen.fillStyle = ink;
    pen.fillText(row.name, 0, middle);
    row.bars.forEach((bar, i) => {
      const top = this.top(number, i);
      pen.textAlign = 'right';
      pen.fillStyle = faint;
      pen.fillText(bar.name, this.left - 8, top + height / 2);
      this.drawSpans(bar.spans, (x, width, series) => {
        pen.fillStyle = this.picture.colours[series];
        pen.fillRect(x, top, width, height);
      });
    });
  }

  drawSpans(spans, draw) {
    const first = firstSpan(spans, this.view.low);
    let end = first;
    while (end < spans.from.length && spans.from[end] < this.view.high) ++end;
    const pixels = Math.ceil(this.right - this.left);
    if (end - first > pixels) return this.drawMerged(spans, [first, end], pixels, draw);
    for (let i = first; i < end; ++i) {
      const x = Math.max(this.left, this.x(spans.from[i]));
      const right = Math.min(this.right, this.x(spans.to[i]));
      if (right > x) draw(x, right - x, spans.series[i]);
    }
  }

  // Draws in each pixel the series that takes most of it.
  drawMerged(spans, [first, end], pixels, draw) {
    const kinds = this.picture.series.length;
    const taken = new Float32Array(pixels * kinds);
    for (let i = first; i < end; ++i) {
      const from = Math.max(0, this.x(spans.from[i]) - this.left);
      const to = Math.min(pixels, this.x(spans.to[i]) - this.left);
      for (let pixel = Math.floor(from); pixel < to; ++pixel)
        taken[pixel * kinds + spans.series[i]] += Math.min(to, pixel + 1) - Math.max(from, pixel);
    }
    let begin = 0, drawn = -1;
    for (let pixel = 0; pixel <= pixels; ++pixel) {
      let best = -1, most = 0.25;  // pixels that are nearly empty stay empty
      for (let kind = 0; pixel < pixels && kind < kinds; ++kind)
        if (taken[pixel * kinds + kind] > most) [best, most] = [kind, taken[pixel * kinds + kind]];
      if (best === drawn && pixel < pixels) continue;
      if (drawn >= 0) draw(this.left + begin, pixel - begin, drawn);
      [begin, drawn] = [pixel, best];
    }
  }

  drawArrows(ink) {
    const {pen, view} = this;
    const middle = timelineSizes.bar / 2;
    const visible = this.arrows.filter(([, , , from, to]) => to >= view.low && from <= view.high);
    if (visible.length > mostArrows) return;
    pen.save();
    pen.beginPath();
    pen.rect(this.left, 0, this.right - this.left, this.height);
    pen.clip();
    pen.strokeStyle = ink;
    pen.lineWidth = 0.8;
    pen.beginPath();
    for (const [fromRow, toRow, bar, from, to] of visible) {
      pen.moveTo(this.x(from), this.top(fromRow, bar) + middle);
      pen.lineTo(this.x(to), this.top(toRow, bar) + middle);
    }
    pen.stroke();
    pen.restore();
  }

  // ---- details ----

  // The row, the bar and the number of the span at this position; null if there is no span.
  at(x, y) {
    const time = this.time(x);
    if (time < this.view.low || time > this.view.high) return null;
    for (const [number, row] of this.rows.entries())
      for (const [i, bar] of row.bars.entries()) {
        const top = this.top(number, i);
        if (y < top || y >= top + timelineSizes.bar) continue;
        const span = firstSpan(bar.spans, time);
        return span < bar.spans.from.length && bar.spans.from[span] <= time ? {row, bar, span} : null;
      }
    return null;
  }

  tell(event) {
    const found = this.at(event.offsetX, event.offsetY);
    this.tooltip.hidden = found === null;
    if (found === null) return;
    const {row, bar: {name, spans}, span} = found;
    const [from, to] = [spans.from[span], spans.to[span]];
    const time = (value) => valueText('seconds', value);
    this.tooltip.textContent = `${row.name}${name ? ', ' + name : ''}: ` +
      `${this.picture.series[spans.series[span]]}, ${time(to - from)}, ` +
      `starting at ${this.timeText(from, this.view.length / 1000)} ${this.unit[1]}`;
    const room = this.width - this.tooltip.offsetWidth;
    this.tooltip.style.left = `${Math.max(0, Math.min(event.offsetX + 12, room))}px`;
    this.tooltip.style.top = `${event.offsetY + 16}px`;
  }
}

const timelineHint = 'Drag to show a part, Shift and drag to move, double-click for all. The wheel zooms after a ' +
  'click into the timeline, or with Ctrl. Keys: + - ← → 0.';

function drawTimeline(picture) {
  const legend = element('div', {className: 'legend'}, ...picture.series.map((name, i) => {
    const swatch = element('span', {className: 'swatch'});
    swatch.style.background = picture.colours[i];
    return element('span', {}, swatch, name);
  }));
  const canvas = new TimelineCanvas(picture);
  show('timelines', element('p', {className: 'hint', textContent: picture.subtitle}), legend, canvas.tools(),
    canvas.box, element('p', {className: 'hint', textContent: timelineHint}),
    ...picture.notes.map((text) => element('p', {className: 'note', textContent: text})));
  canvas.draw();
}
