// Failed points, cost, provenance.
function facts(pairs) {
  return element('table', {className: 'facts'}, element('tbody', {}, ...pairs.map(([name, value]) =>
    element('tr', {}, element('th', {scope: 'row', textContent: name}),
      element('td', {textContent: value})))));
}

function failedPoint({point, error, said}) {
  const details = element('details', {open: page.failed.length <= 10},
    element('summary', {textContent: point || error}), element('pre', {textContent: error}));
  if (said) details.append(element('p', {className: 'note', textContent: 'It said:'}),
    element('pre', {textContent: said}));
  return details;
}

function study(each) {
  const parts = [element('h3', {textContent: each.name})];
  if (each.description) parts.push(element('p', {textContent: each.description}));
  parts.push(facts([['run by', each.command], ['Tutti', each.version],
    ['SimGrid', each.simgrid_version], ['started', each.started]].filter(([, value]) => value)));
  if (each.toml) parts.push(element('pre', {className: 'toml', textContent: each.toml}));
  return parts;
}

document.getElementById('summary').textContent = page.summary;
if (page.failed.length) show('failed', ...page.failed.map(failedPoint));
if (page.cost.length) show('cost', facts(page.cost));
const origin = [...page.provenance.map((line) => element('p', {textContent: line})),
  ...page.studies.flatMap(study)];
if (page.constants.length)
  origin.push(element('h3', {textContent: 'The same for all points'}), facts(page.constants));
if (origin.length) show('provenance', ...origin);
