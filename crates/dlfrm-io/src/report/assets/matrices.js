// Squares: the weights between features, the adjacency matrix.

/** A colour of the style as [red, green, blue]. */
function channels(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((place) => parseInt(text.slice(place, place + 2), 16));
}

const between = (one, other, part) => one.map((value, k) => value + (other[k] - value) * part);

/** Colours of weights: one for what speaks against links, one for what speaks for them, none in the middle. */
function diverging() {
  const [negative, neutral, positive] = ['--negative', '--neutral', '--positive'].map(channels);
  return (part) => (part < 0 ? between(neutral, negative, -part) : between(neutral, positive, part));
}

function sequential() {
  const [empty, sparse, dense] = ['--empty', '--sparse', '--dense'].map(channels);
  return (part) => (part <= 0 ? empty : between(sparse, dense, part));
}

/**
 * A square of coloured cells: `colours()` gives a function from (row, column) to a colour, called again for every colour scheme;
 * `lines` are positions of borders, `marks` are [position, text] beside the axes.
 */
function drawMatrix(id, { side, colours, lines, marks, title, label, text, legend }) {
  const element = area(id);
  responsive(element, (width) => {
    const margin = { left: 46, top: 6, right: 8, bottom: 40 };
    const size = Math.min(width - margin.left - margin.right, 560);
    const height = size + margin.top + margin.bottom;
    const full = size + margin.left + margin.right;
    const canvas = html('canvas', { width: side, height: side, role: 'img', 'aria-label': label });
    canvas.style.cssText = `left:${margin.left}px;top:${margin.top}px;width:${size}px;height:${size}px`;
    const context = canvas.getContext('2d');
    const image = context.createImageData(side, side);
    const colourOf = colours();
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        const place = 4 * (row * side + column);
        image.data.set(colourOf(row, column), place);
        image.data[place + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
    const root = svg('svg', { width: full, height, viewBox: `0 0 ${full} ${height}`, style: 'position:relative;pointer-events:none', 'aria-hidden': 'true' });
    const at = (place) => (place / side) * size;
    root.append(svg('rect', { class: 'axis', x: margin.left, y: margin.top, width: size, height: size, fill: 'none' }));
    for (const place of lines) {
      root.append(
        svg('line', { class: 'border', x1: margin.left, x2: margin.left + size, y1: margin.top + at(place), y2: margin.top + at(place) }),
        svg('line', { class: 'border', y1: margin.top, y2: margin.top + size, x1: margin.left + at(place), x2: margin.left + at(place) }),
      );
    }
    let taken = -Infinity;
    for (const [place, mark] of marks) {
      if (at(place) - taken < 20) continue;
      taken = at(place);
      root.append(
        svg('text', { x: margin.left - 6, y: margin.top + at(place) + 4, 'text-anchor': 'end' }, mark),
        svg('text', { x: margin.left + at(place), y: margin.top + size + 15, 'text-anchor': 'middle' }, mark),
      );
    }
    root.append(
      svg('text', { x: margin.left + size / 2, y: height - 6, 'text-anchor': 'middle' }, title[0]),
      svg('text', { transform: `translate(12 ${margin.top + size / 2}) rotate(-90)`, 'text-anchor': 'middle' }, title[1]),
    );
    tooltip(canvas, (event) => {
      const { left, top } = canvas.getBoundingClientRect();
      const cell = (place) => Math.min(side - 1, Math.max(0, Math.floor((place / size) * side)));
      return text(cell(event.clientY - top), cell(event.clientX - left));
    });
    element.replaceChildren(canvas, root, html('p', { class: 'legend' }, ...legend()));
  });
}

function drawWeights(features, directed) {
  const { list, weights, diagonal } = features;
  const side = list.length;
  if (!side) { say('plot-weights', 'The draws agree on no feature.'); return; }
  const weight = (row, column) => (diagonal ? (row === column ? weights[row] : 0) : weights[row * side + column]);
  const most = weights.reduce((sum, value) => Math.max(sum, Math.abs(value)), 1e-9);
  drawMatrix('plot-weights', {
    side,
    colours: () => {
      const shade = diverging();
      return (row, column) => shade(weight(row, column) / most);
    },
    lines: [],
    marks: list.map((_, k) => [k + 0.5, String(k + 1)]),
    title: directed ? ['feature of the target', 'feature of the source'] : ['feature', 'feature'],
    label: `Weights between ${side} features, from ${short(Math.min(...weights))} to ${short(Math.max(...weights))}`,
    text: (row, column) => `feature ${row + 1} ${directed ? 'to' : 'and'} ${column + 1}\nweight ${signed(weight(row, column))}`,
    legend: () => [
      `−${short(most, 2)}, fewer links`,
      html('span', { class: 'ramp', style: 'background:linear-gradient(to right,var(--negative),var(--neutral),var(--positive))' }),
      `+${short(most, 2)}, more links`,
    ],
  });
}

function drawAdjacency(adjacency, nodes, directed) {
  const { side, cells, groups } = adjacency;
  const counts = new Uint32Array(side * side);
  for (let k = 0, place = 0; k < cells.length; k += 2, place += 1) {
    place += cells[k];
    counts[place] = cells[k + 1];
  }
  const most = counts.reduce((sum, count) => Math.max(sum, count), 1);
  const lines = [];
  const marks = [];
  let start = 0;
  for (const [feature, size] of groups) {
    if (start > 0) lines.push((start / nodes) * side);
    marks.push([((start + size / 2) / nodes) * side, feature ? String(feature) : 'none']);
    start += size;
  }
  const a = nodes / side;
  drawMatrix('plot-adjacency', {
    side,
    colours: () => {
      const shade = sequential();
      const strongest = Math.log1p(most);
      return (row, column) => {
        const count = counts[row * side + column];
        return shade(count && (most === 1 ? 1 : 0.12 + (0.88 * Math.log1p(count)) / strongest));
      };
    },
    lines: lines.length <= 80 ? lines : [],
    marks,
    title: directed ? ['target, by main feature', 'source, by main feature'] : ['node, by main feature', 'node, by main feature'],
    label: `Adjacency matrix of ${nodes} nodes in the order of ${groups.length} groups`,
    text: (row, column) => {
      const count = counts[row * side + column];
      return a > 1 ? `${count} links in a cell of ${Math.round(a * a)} pairs` : count ? 'a link' : 'no link';
    },
    legend: () => (a > 1
      ? [html('span', {}, 'links in a cell of ', short(a, 3), ' × ', short(a, 3), ' nodes:'), '1',
        html('span', { class: 'ramp', style: 'background:linear-gradient(to right,var(--sparse),var(--dense))' }), String(most)]
      : [html('span', {}, html('span', { class: 'swatch', style: 'background:var(--dense)' }), 'a link')]),
  });
}
