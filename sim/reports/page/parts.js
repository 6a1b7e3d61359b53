// The parts of the page, one for each file of results.
const several = page.parts.length > 1;

function contents() {
  const list = element('ol', {}, ...page.parts.map((part, i) =>
    element('li', {}, element('a', {href: `#part${i}`, textContent: part.title}))));
  return element('nav', {ariaLabel: 'Contents'}, list);
}

function drawPart(part, number) {
  const made = document.getElementById('part').content.cloneNode(true);
  place = made.querySelector('article');
  place.id = `part${number}`;
  document.querySelector('main').append(made);
  place.querySelector('h1').textContent = part.title;
  drawFacts(part);
  part.timelines.forEach(drawTimeline);
  part.tables.filter(isCallTree).forEach(drawCallTree);
  part.winners.forEach((map) => addFigure('winner', map));
  part.tables.forEach(drawBesideTable);
  part.lines.forEach((lines) => addFigure('plots', lines));
  place.querySelector('.plots .hint').hidden = !part.lines.length;
  if (part.no_plots) show('plots', element('p', {className: 'note', textContent: part.no_plots}));
  drawPoints(part);
}

if (several) document.querySelector('main').append(contents());
page.parts.forEach(drawPart);
