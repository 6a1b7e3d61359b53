// Summary, failed points, cost of the simulations, provenance.
function facts(pairs) {
  return element('table', {className: 'facts'}, element('tbody', {}, ...pairs.map(([name, value]) =>
    element('tr', {}, element('th', {scope: 'row', textContent: name}),
      element('td', {textContent: value})))));
}

function failedPoint({point, error, output}, few) {
  const details = element('details', {open: few},
    element('summary', {textContent: point || error}), element('pre', {textContent: error}));
  if (output) details.append(element('p', {className: 'note', textContent: 'Output of the simulation:'}),
    element('pre', {textContent: output}));
  return details;
}

function study(each) {
  const parts = [element('h3', {textContent: each.name})];
  if (each.description) parts.push(element('p', {textContent: each.description}));
  parts.push(facts([['Command', each.command], ['Tutti', each.version],
    ['SimGrid', each.simgrid_version], ['Started', each.started]].filter(([, value]) => value)));
  if (each.toml) parts.push(element('pre', {className: 'toml', textContent: each.toml}));
  return parts;
}

function drawFacts(part) {
  place.querySelector('.summary').textContent = part.summary;
  place.querySelector('.answers')
    .append(...part.answers.map((textContent) => element('p', {textContent})));
  place.querySelector('.about')
    .append(...part.about.map((textContent) => element('p', {textContent})));
  const few = part.failed.length <= 10;
  if (part.failed.length) show('failed', ...part.failed.map((each) => failedPoint(each, few)));
  if (part.cost.length) show('cost', facts(part.cost));
  const origin = [...part.provenance.map((line) => element('p', {textContent: line})),
    ...part.studies.flatMap(study)];
  if (part.constants.length)
    origin.push(element('h3', {textContent: 'Parameters that are the same for all points'}), facts(part.constants));
  if (origin.length) show('provenance', ...origin);
}
