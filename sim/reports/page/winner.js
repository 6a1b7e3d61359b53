// The map of winners: a table, so that it prints and can be read aloud.
function inkOn(colour) {
  if (colour === blackSeries) return 'var(--paper)';
  const part = (at) => parseInt(colour.slice(at, at + 2), 16);
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) > 140 ? 'black' : 'white';
}

// Hatched where the colour was used before.
function fill(place, map, one) {
  const [own, round] = [map.colours[one], roundOf(one)];
  const colour = own === blackSeries ? 'var(--black-series)' : own;
  place.style.background = round === 0 ? colour :
    `repeating-linear-gradient(${90 * round - 45}deg, ${colour} 0 2px, transparent 2px 6px)`;
  place.classList.toggle('hatched', round > 0);
}

function winnerCell(map, cell, where) {
  const td = element('td');
  if (cell === null) return td;
  fill(td, map, cell.best);
  if (roundOf(cell.best) === 0) td.style.color = inkOn(map.colours[cell.best]);
  const ratio = cell.ratio === null ? '' : cell.ratio === 1 ? '=' : cell.ratio.toFixed(2);
  td.append(element('span', {textContent: ratio + (cell.complete ? '' : '*')}));
  td.title = `${where}: ${map.series[cell.best]}` +
    (cell.ratio === null ? '' : `, the second best takes ${cell.ratio.toFixed(3)} times as long`);
  return td;
}

function winnerLegend(map) {
  const wins = new Set(map.cells.flat().filter(Boolean).map((cell) => cell.best));
  const legend = element('div', {className: 'legend'});
  for (const one of [...wins].sort((a, b) => a - b)) {
    const swatch = element('span', {className: 'swatch'});
    fill(swatch, map, one);
    legend.append(element('span', {}, swatch, map.series[one]));
  }
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
      `The least ${map.value} by ${map.x_label}; in each cell, second best / best.`}),
    winnerLegend(map), scroll,
    ...map.notes.map((text) => element('p', {className: 'note', textContent: text})));
}
