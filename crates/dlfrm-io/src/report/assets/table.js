// The table of predicted links: sorted by any column, searched by name.

const PAGE = 50;

/** The columns: title, what is sorted by, what is shown; whether it is a number. */
function linkColumns(directed, probabilities, coefficients) {
  const number = (field, digits) => [(link) => link[field], (link) => fixed(link[field], digits)];
  return [
    { title: directed ? 'From' : 'One', key: (link) => link.source, show: (link) => link.source, kind: 'name' },
    { title: directed ? 'To' : 'Other', key: (link) => link.target, show: (link) => link.target, kind: 'name' },
    { title: probabilities ? 'Probability' : 'Score', key: number('probability')[0], show: number('probability')[1], kind: 'number' },
    { title: '5 %', key: number('low')[0], show: number('low')[1], kind: 'number' },
    { title: '95 %', key: number('high')[0], show: number('high')[1], kind: 'number' },
    { title: 'Interval', show: interval, kind: '' },
    { title: 'By features', key: (link) => link.by_features, show: (link) => signed(link.by_features), kind: 'number' },
    { title: 'By others', key: (link) => link.by_others, show: (link) => signed(link.by_others), kind: 'number' },
    { title: 'What explains it', show: (link) => explanation(link, coefficients), kind: 'wide' },
  ];
}

function interval(link) {
  const part = (value) => `${(100 * value).toFixed(1)}%`;
  return html('span', { class: 'bar', role: 'img', 'aria-label': `from ${fixed(link.low)} to ${fixed(link.high)}` },
    html('i', { style: `left:${part(link.low)};width:${part(link.high - link.low)}` }),
    html('b', { style: `left:${part(link.probability)}` }));
}

/** Why, in words; features, or pairs of them, with their weights; then what covariates add to the logit, with intervals. */
function explanation(link, coefficients) {
  const features = link.explained.map(([one, other, weight]) => html('span', { class: 'chip' }, one === other ? `${one}` : `${one} × ${other}`, ` ${signed(weight)}`));
  const known = link.covariates.map(({ covariate, mean, low, high }) => html('span', { class: 'chip known' }, `${coefficients[covariate].covariate} ${signed(mean)} (${signed(low)} to ${signed(high)})`));
  return features.length + known.length ? html('div', {}, html('div', {}, link.why), html('div', {}, ...features), html('div', {}, ...known)) : 'nothing';
}

const compare = (one, other) => (typeof one === 'string' ? one.localeCompare(other, undefined, { numeric: true }) : one - other);

function drawLinks(links, directed, probabilities, coefficients) {
  const columns = linkColumns(directed, probabilities, coefficients);
  const state = { column: 2, descending: true, words: '', shown: PAGE };
  const count = html('span', { class: 'small', 'aria-live': 'polite', id: 'links-count' });
  const search = html('input', { type: 'search', id: 'links-search', placeholder: 'Name of an entity', 'aria-label': 'Search predicted links by name' });
  const body = html('tbody', {});
  const more = html('button', { type: 'button', class: 'more' }, 'Show more');
  const heads = columns.map(({ title, key, kind }, column) => {
    if (!key) return html('th', { scope: 'col', class: kind }, title);
    const button = html('button', { type: 'button' }, title);
    button.addEventListener('click', () => {
      // A first click on numbers shows the largest, on names the first of the alphabet.
      state.descending = state.column === column ? !state.descending : kind === 'number';
      state.column = column;
      update();
    });
    return html('th', { scope: 'col', class: kind }, button);
  });
  const update = () => {
    const { key } = columns[state.column];
    const wanted = (link) => `${link.source}\n${link.target}`.toLowerCase().includes(state.words);
    const found = links.filter(wanted).sort((a, b) => compare(key(a), key(b)) * (state.descending ? -1 : 1));
    const cells = (link) => columns.map(({ show, kind }) => html('td', { class: kind }, show(link)));
    body.replaceChildren(...found.slice(0, state.shown).map((link) => html('tr', {}, ...cells(link))));
    heads.forEach((head, column) => {
      if (column === state.column) head.setAttribute('aria-sort', state.descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    count.textContent = `${found.length} of ${links.length} links`;
    more.hidden = found.length <= state.shown;
  };
  search.addEventListener('input', () => {
    state.words = search.value.trim().toLowerCase();
    state.shown = PAGE;
    update();
  });
  more.addEventListener('click', () => { state.shown += PAGE; update(); });
  const table = html('table', { 'aria-label': 'Predicted links' }, html('thead', {}, html('tr', {}, ...heads)), body);
  byId('links-table').replaceChildren(
    html('div', { class: 'tools' }, search, count),
    html('figure', {}, html('div', { class: 'box', tabindex: '0', role: 'region', 'aria-label': 'Predicted links, scrolls sideways' }, table), more),
  );
  update();
}
