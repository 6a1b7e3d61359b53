// Figures drawn by Vega. Dragging over a panel zooms in, a double click resets; a click on a name of
// the legend hides or shows its curve. Expressions are interpreted: the page forbids `eval`.
const views = [];

// Shows a text under the mouse in `tip`, an element of the box.
function tooltipIn(tip, box) {
  return (handler, event, item, value) => {
    tip.hidden = !value;
    if (!value) return;
    tip.textContent = value;
    const frame = box.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    const onLeft = x > frame.width / 2;
    Object.assign(tip.style, {top: `${y + 14}px`, left: onLeft ? '' : `${x + 12}px`,
      right: onLeft ? `${frame.width - x + 12}px` : ''});
  };
}

// The boxes of the panels in a figure, in pixels.
function panelsOf(view) {
  const panels = [];
  const visit = (mark, left, top) => {
    if (mark.marktype !== 'group') return;
    for (const {x = 0, y = 0, width, height, items} of mark.items) {
      if (mark.name === 'panel') panels.push({x: left + x, y: top + y, width, height});
      items.forEach((inner) => visit(inner, left + x, top + y));
    }
  };
  visit(view.scenegraph().root, ...view.origin());
  return panels;
}

// While dragging, a rectangle marks the selected part.
function addZoom(view, box) {
  const least_px = 6;
  const whole = {x: view.signal('x_domain'), y: view.signal('y_domain')};
  let start = null;
  const rubber = element('div', {className: 'rubber', hidden: true});
  box.append(rubber);
  const at = (event) => {
    const frame = box.getBoundingClientRect();
    return {x: event.clientX - frame.left, y: event.clientY - frame.top};
  };
  const inside = ({panel}, {x, y}) => ({
    x: Math.min(Math.max(x, panel.x), panel.x + panel.width),
    y: Math.min(Math.max(y, panel.y), panel.y + panel.height)});
  box.addEventListener('pointerdown', (event) => {
    const from = at(event);
    const panel = panelsOf(view).find(({x, y, width, height}) => from.x >= x && from.y >= y &&
      from.x <= x + width && from.y <= y + height);
    if (event.button === 0 && panel) start = {...from, panel};
  });
  window.addEventListener('pointermove', (event) => {
    if (!start) return;
    const now = inside(start, at(event));
    rubber.hidden = false;
    Object.assign(rubber.style, {
      left: `${Math.min(start.x, now.x)}px`, top: `${Math.min(start.y, now.y)}px`,
      width: `${Math.abs(start.x - now.x)}px`, height: `${Math.abs(start.y - now.y)}px`});
  });
  const zoomTo = (x, y) => view.signal('x_domain', x).signal('y_domain', y).run();
  window.addEventListener('pointerup', (event) => {
    if (!start) return;
    const [from, to] = [start, inside(start, at(event))];
    start = null;
    rubber.hidden = true;
    if (Math.abs(from.x - to.x) < least_px || Math.abs(from.y - to.y) < least_px) return;
    const values = (name) => [from, to]
      .map((point) => view.scale(name).invert(point[name] - from.panel[name]))
      .sort((a, b) => a - b);
    zoomTo(values('x'), values('y'));
  });
  window.addEventListener('pointercancel', () => {  // for example a touch that scrolls the page
    start = null;
    rubber.hidden = true;
  });
  box.addEventListener('dblclick', () => zoomTo(whole.x, whole.y));
}

function addFigure(section, specification) {
  const box = element('div', {className: 'figure'});
  show(section, element('div', {className: 'wide'}, box));
  const tip = element('div', {className: 'tooltip', hidden: true});
  const view = new vega.View(vega.parse(specification, null, {ast: true}),
    {expr: vega.expressionInterpreter, renderer: 'canvas', container: box, tooltip: tooltipIn(tip, box)});
  view.signal('dark', dark.matches).run();  // empties the box first
  box.append(tip);
  views.push(view);
  if (panelsOf(view).length) addZoom(view, box);
}

dark.addEventListener('change', () =>
  views.forEach((view) => view.signal('dark', dark.matches).run()));
