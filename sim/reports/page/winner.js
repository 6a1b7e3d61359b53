// The map of winners. It is a table, so that it can be printed and read by screen readers.
function inkOn(colour) {
  const part = (at) => parseInt(colour.slice(at, at + 2), 16);
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) > 140 ? 'black' : 'white';
}

// Solid; a tint if an earlier series has the same color; hatched if several do. The style sheet
// chooses between light and dark background.
function fill(place, look) {
  const paper = {light: '#ffffff', dark: '#16181b'};
  for (const scheme of ['light', 'dark']) {
    const colour = look[scheme];
    const tint = mixed(colour, paper[scheme]);
    place.style.setProperty(`--fill-${scheme}`, look.round === 0 ? colour : look.round === 1 ? tint :
      `repeating-linear-gradient(${90 * look.round - 45}deg, ${colour} 0 2px, transparent 2px 6px)`);
    const ink = look.round === 0 ? inkOn(colour) : scheme === 'light' ? 'black' : 'white';
    place.style.setProperty(`--ink-${scheme}`, ink);
  }
  place.classList.add('filled');
  place.classList.toggle('hatched', look.round > 1);
}

function winnerCell(map, cell, where) {
  const td = element('td');
  if (cell === null) return td;
  const isTie = cell.tied.length > 0;
  if (isTie) td.className = 'tie';
  else fill(td, map.looks[cell.best]);
  const ratio = cell.ratio === null ? '' : isTie ? '=' : cell.ratio.toFixed(2);
  td.append(element('span', {textContent: ratio + (cell.complete ? '' : '*')}));
  td.title = isTie ? `${where}: ${cell.tied.map((one) => map.series[one]).join(', ')} (tie)` :
    `${where}: ${map.series[cell.best]}` +
    (cell.ratio === null ? '' : `; second best / best: ${cell.ratio.toFixed(3)}`);
  return td;
}

function winnerLegend(map) {
  const cells = map.cells.flat().filter(Boolean);
  const wins = new Set(cells.filter((cell) => !cell.tied.length).map((cell) => cell.best));
  const legend = element('div', {className: 'legend'});
  for (const one of [...wins].sort((a, b) => a - b)) {
    const swatch = element('span', {className: 'swatch'});
    fill(swatch, map.looks[one]);
    legend.append(element('span', {}, swatch, map.series[one]));
  }
  if (cells.some((cell) => cell.tied.length))
    legend.append(element('span', {}, element('span', {className: 'swatch tie'}), 'tie'));
  return legend;
}

function winnerTable(map) {
  const head = element('tr', {}, element('th', {textContent: map.y_label}));
  for (const name of map.columns) head.append(element('th', {textContent: name, scope: 'col'}));
  const body = element('tbody');
  map.rows.forEach((name, row) => {
    const line = element('tr', {}, element('th', {textContent: name, scope: 'row'}));
    map.cells[row].forEach((cell, column) =>
      line.append(winnerCell(map, cell, [map.columns[column], name].filter(Boolean).join(', '))));
    body.prepend(line);
  });
  return element('table', {className: 'winner'}, element('thead', {}, head), body);
}

function drawWinner(map) {
  const scroll = element('div', {className: 'wide'}, winnerTable(map));
  show('winner',
    element('h3', {textContent: map.title}),
    element('p', {className: 'hint', textContent:
      `Series with the lowest ${map.value}, by ${map.x_label}. Numbers: second best / best.`}),
    winnerLegend(map), scroll,
    ...map.notes.map((text) => element('p', {className: 'note', textContent: text})));
}
