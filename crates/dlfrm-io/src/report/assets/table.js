// The table of predicted links: sorted by any column, searched by name.

const PAGE = 50;

/** The columns: title, what is sorted by, what is shown; whether it is a number. */
function linkColumns({ directed, probabilities }) {
  return [
    { title: directed ? 'From' : 'One', key: (link) => link.source, show: (link) => link.source, kind: 'name' },
    { title: directed ? 'To' : 'Other', key: (link) => link.target, show: (link) => link.target, kind: 'name' },
    { title: probabilities ? 'Probability' : 'Score', key: (link) => link.probability, show: (link) => fixed(link.probability), kind: 'number' },
    { title: '90 % interval', key: (link) => link.low, show: interval, kind: 'interval' },
    { title: 'Why', show: explanation, kind: 'wide' },
  ];
}

function interval(link) {
  const part = (value) => `${(100 * value).toFixed(1)}%`;
  const bar = html('span', { class: 'bar', 'aria-hidden': 'true' },
    html('i', { style: `left:${part(link.low)};width:${part(link.high - link.low)}` }),
    html('b', { style: `left:${part(link.probability)}` }));
  return html('div', {}, `${fixed(link.low)} to ${fixed(link.high)}`, bar);
}

/** Why, in words; then, folded away, the other reasons, and features with their weights. */
function explanation(link) {
  const features = link.explained.map(([one, other, weight]) => html('span', { class: 'chip' }, one === other ? `feature ${one}` : `features ${one} × ${other}`, ` ${signed(weight)}`));
  const sentences = link.more.map((sentence) => html('li', {}, sentence));
  return html('div', {}, html('div', {}, link.why || 'Nothing stands out.'),
    html('details', {}, html('summary', {}, 'More'), html('ul', {}, ...sentences),
      features.length ? html('div', {}, html('span', { class: 'small' }, 'weights of the consensus: '), ...features) : null));
}

/** A cell of CSV, in quotes if it must be. */
function csvCell(value) {
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** A button that saves all links as CSV. */
function download(links, name) {
  const button = html('button', { type: 'button', class: 'more', id: 'links-download' }, 'Download as CSV');
  button.addEventListener('click', () => {
    const fields = ['source', 'target', 'probability', 'low', 'high', 'why'];
    const lines = [fields.join(','), ...links.map((link) => fields.map((field) => csvCell(link[field])).join(','))];
    const address = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }));
    const anchor = html('a', { href: address, download: `${name}-missing-links.csv` });
    anchor.click();
    URL.revokeObjectURL(address);
  });
  return button;
}

const compare = (one, other) => (typeof one === 'string' ? one.localeCompare(other, undefined, { numeric: true }) : one - other);

function drawLinks(links, page, { relation }) {
  const columns = linkColumns(page);
  const state = { column: 2, descending: true, words: '', shown: PAGE };
  const count = html('span', { class: 'small', 'aria-live': 'polite', id: 'links-count' });
  const search = html('input', { type: 'search', id: 'links-search', placeholder: 'Name of a node', 'aria-label': 'Search predicted links by name' });
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
    const cells = (link) => columns.map(({ title, show, kind }) => html('td', { class: kind, 'data-title': title }, show(link)));
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
  const table = html('table', { class: 'cards', 'aria-label': 'Missing links' }, html('thead', {}, html('tr', {}, ...heads)), body);
  byId('links-table').replaceChildren(
    html('div', { class: 'tools' }, search, count, download(links, relation || page.network)),
    html('figure', {}, html('div', { class: 'box', tabindex: '0', role: 'region', 'aria-label': 'Missing links, scrolls sideways' }, table), more),
  );
  update();
}
