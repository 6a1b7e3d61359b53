// Timelines of ranks: rows of bars on a canvas, with details on hover.
const timelineSizes = {bar: 16, barGap: 2, rowGap: 12, top: 4, axis: 40};

class TimelineCanvas {
  constructor(picture) {
    this.picture = picture;
    this.canvas = element('canvas', {role: 'img', ariaLabel: picture.title});
    this.told = element('div', {className: 'told', hidden: true});
    this.box = element('div', {className: 'timeline'}, this.canvas, this.told);
    this.canvas.addEventListener('mousemove', (event) => this.tell(event));
    this.canvas.addEventListener('mouseleave', () => { this.told.hidden = true; });
    window.addEventListener('resize', () => this.draw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  top(row, bar) {
    const s = timelineSizes;
    return s.top + row * this.rowHeight + s.rowGap / 2 + bar * (s.bar + s.barGap);
  }

  measure() {
    const s = timelineSizes;
    const {rows} = this.picture;
    const bars = rows.length ? rows[0].bars.length : 1;
    this.rowHeight = bars * s.bar + (bars - 1) * s.barGap + s.rowGap;
    this.height = s.top + rows.length * this.rowHeight + s.axis;
    this.width = Math.max(300, this.box.clientWidth);
    const pen = this.pen;
    pen.font = this.font;
    const widest = (texts) => Math.max(0, ...texts.map((text) => pen.measureText(text).width));
    const names = widest(rows.map((row) => row.name));
    const small = widest(rows.flatMap((row) => row.bars.map((bar) => bar.name)));
    this.left = names + (small ? small + 22 : 10);
    this.right = this.width - 12;
  }

  x(time) {
    const {low, high} = this.picture.x;
    return this.left + (time - low) / (high - low) * (this.right - this.left);
  }

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
    this.picture.rows.forEach((row, i) => this.drawRow(row, i, colour('--ink'), colour('--faint')));
    this.drawArrows(colour('--ink'));
  }

  drawAxis(line, faint) {
    const {pen} = this;
    const bottom = this.height - timelineSizes.axis + 4;
    pen.strokeStyle = line;
    pen.fillStyle = faint;
    pen.textAlign = 'center';
    for (const {at, label} of this.picture.x.ticks) {
      const x = Math.round(this.x(at)) + 0.5;
      pen.beginPath();
      pen.moveTo(x, timelineSizes.top);
      pen.lineTo(x, bottom);
      pen.stroke();
      pen.fillText(label, x, bottom + 10);
    }
    pen.fillText(this.picture.x.label, (this.left + this.right) / 2, bottom + 27);
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
      for (const [from, to, series] of bar.spans) {
        pen.fillStyle = this.picture.colours[series];
        pen.fillRect(this.x(from), top, this.x(to) - this.x(from), height);
      }
    });
  }

  drawArrows(ink) {
    const {pen} = this;
    const middle = timelineSizes.bar / 2;
    pen.save();
    pen.beginPath();
    pen.rect(this.left, 0, this.right - this.left, this.height);
    pen.clip();
    pen.strokeStyle = ink;
    pen.lineWidth = 0.8;
    pen.beginPath();
    for (const [fromRow, toRow, bar, from, to] of this.picture.arrows) {
      pen.moveTo(this.x(from), this.top(fromRow, bar) + middle);
      pen.lineTo(this.x(to), this.top(toRow, bar) + middle);
    }
    pen.stroke();
    pen.restore();
  }

  // The row, bar and span at this position; null if there is no span.
  at(x, y) {
    const {low, high} = this.picture.x;
    const time = low + (x - this.left) / (this.right - this.left) * (high - low);
    for (const [number, row] of this.picture.rows.entries())
      for (const [i, bar] of row.bars.entries()) {
        const top = this.top(number, i);
        if (y < top || y >= top + timelineSizes.bar) continue;
        const span = bar.spans.find(([from, to]) => from <= time && time < to);
        return span ? {row, bar, span} : null;
      }
    return null;
  }

  tell(event) {
    const found = this.at(event.offsetX, event.offsetY);
    this.told.hidden = found === null;
    if (found === null) return;
    const [from, to, series] = found.span;
    const time = (value) => valueText('seconds', value);
    this.told.textContent = `${found.row.name}${found.bar.name ? ', ' + found.bar.name : ''}: ` +
      `${this.picture.series[series]}, ${time(to - from)}, starting at ${time(from)}`;
    const room = this.width - this.told.offsetWidth;
    this.told.style.left = `${Math.max(0, Math.min(event.offsetX + 12, room))}px`;
    this.told.style.top = `${event.offsetY + 16}px`;
  }
}

function drawTimeline(picture) {
  const legend = element('div', {className: 'legend'}, ...picture.series.map((name, i) => {
    const swatch = element('span', {className: 'swatch'});
    swatch.style.background = picture.colours[i];
    return element('span', {}, swatch, name);
  }));
  const canvas = new TimelineCanvas(picture);
  show('timelines', element('p', {className: 'hint', textContent: picture.subtitle}), legend,
    canvas.box,
    ...picture.notes.map((text) => element('p', {className: 'note', textContent: text})));
  canvas.draw();
}
