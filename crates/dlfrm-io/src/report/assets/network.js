// The drawing of a small network: circles in the colours of their groups.

/** The slices of a circle, one for each colour; a whole circle for one, a hollow one for none. */
function slices([x, y], radius, colours) {
  if (colours.length < 2) {
    return [svg('circle', { cx: x, cy: y, r: radius, fill: colours.length ? colours[0] : 'var(--shade)', class: colours.length ? null : 'hollow' })];
  }
  const corner = (part) => {
    const angle = 2 * Math.PI * (part / colours.length - 0.25);
    return `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
  };
  return colours.map((fill, part) => svg('path', { fill, d: `M${x.toFixed(1)} ${y.toFixed(1)}L${corner(part)}A${radius} ${radius} 0 0 1 ${corner(part + 1)}Z` }));
}

/** The head of an arrow at the border of the circle that it points to. */
function arrow(from, to, radius) {
  const way = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(...way) || 1;
  const [x, y] = way.map((part) => part / length);
  const tip = [to[0] - x * (radius + 1), to[1] - y * (radius + 1)];
  const side = (factor) => [tip[0] - 6 * x - factor * y, tip[1] - 6 * y + factor * x];
  return `${path([tip, side(-2.6), side(2.6)])}Z`;
}

function drawNetwork(drawing, directed, groups) {
  const element = area('plot-network');
  if (!drawing) { say('plot-network', 'Networks of more than 300 nodes, or more than 5,000 links, are not drawn.'); return; }
  const { nodes, links, colours } = drawing;
  const degree = new Array(nodes.length).fill(0);
  links.forEach(([i, j]) => { degree[i] += 1; degree[j] += 1; });
  const isGroup = new Set(groups.map(({ number }) => number));
  const sizes = new Map(groups.map(({ number, size }) => [number, size]));
  const own = nodes.map(({ features }) => features.filter((number) => isGroup.has(number)));
  // A link within groups has the colour of the smallest of them.
  const within = ([i, j]) => own[i].filter((number) => own[j].includes(number)).sort((one, other) => sizes.get(one) - sizes.get(other))[0];
  responsive(element, (width) => {
    const height = Math.round(Math.min(680, Math.max(340, width * 0.7)));
    // Smaller on a phone.
    const radius = degree.map((count) => (3 + Math.sqrt(count)) * Math.min(1, Math.max(0.65, width / 700)));
    const places = nodes.map(({ at }) => [18 + at[0] * (width - 36), 18 + at[1] * (height - 36)]);
    const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `The network: ${nodes.length} nodes, ${links.length} links, ${groups.length} groups` });
    const paths = new Map();
    for (const link of links) {
      const number = within(link);
      const key = number === undefined ? null : colours[number - 1];
      paths.set(key, (paths.get(key) || '') + path(link.map((id) => places[id])));
    }
    for (const [key, d] of paths) root.append(svg('path', { class: key === null ? 'edges mark' : 'edges within mark', d, style: key === null ? null : `stroke:${colour(key)}` }));
    if (directed) root.append(svg('path', { class: 'arrows mark', d: links.map(([i, j]) => arrow(places[i], places[j], radius[j])).join('') }));
    const drawn = nodes.map((node, k) => {
      const shape = svg('g', { class: 'node mark' }, ...slices(places[k], radius[k], own[k].map((number) => colour(colours[number - 1]))));
      const has = own[k].length ? `group${own[k].length === 1 ? '' : 's'} ${own[k].join(', ')}` : 'in no group';
      tooltip(shape, () => `${node.name}\n${degree[k]} ${directed ? 'links to and from it' : degree[k] === 1 ? 'link' : 'links'}\n${has}`);
      root.append(shape);
      return shape;
    });
    label(root, nodes, places, radius, degree, width);
    const pick = (button, number) => {
      const on = button.getAttribute('aria-pressed') !== 'true';
      legend.querySelectorAll('button').forEach((one) => one.setAttribute('aria-pressed', String(on && one === button)));
      drawn.forEach((shape, k) => shape.classList.toggle('dim', on && !own[k].includes(number)));
    };
    const legend = html('div', { class: 'legend' }, groups.length ? 'show group' : 'no groups');
    for (const { number, members } of groups.slice(0, 30)) {
      const button = html('button', { type: 'button', 'aria-pressed': 'false', title: members.slice(0, 5).join(', ') }, html('span', { class: 'swatch', style: `background:${colour(colours[number - 1])}` }), String(number));
      button.addEventListener('click', () => pick(button, number));
      legend.append(button);
    }
    const note = html('p', { class: 'small' }, `A circle in several colours is in several groups, a hollow one in none; larger circles have more links${directed ? '; arrows point to the target' : ''}.`);
    element.replaceChildren(root, legend, note);
  });
}

/** Names the best linked nodes wherever whole names cover neither each other nor a circle. */
function label(root, nodes, places, radius, degree, width) {
  const taken = places.map(([x, y], k) => [x, y, radius[k], radius[k]]);
  const ranked = nodes.map((_, k) => k).sort((one, other) => degree[other] - degree[one]);
  for (const k of ranked.slice(0, 120)) {
    const { name } = nodes[k];
    const half = name.length * 3.2 + 2;
    if (2 * half > width || name.length > 40) continue;
    const x = Math.min(width - half, Math.max(half, places[k][0]));
    const free = (y) => y > 8 && !taken.some(([a, b, wide, high], other) => other !== k && Math.abs(a - x) < half + wide && Math.abs(b - y) < 6 + high);
    const y = [places[k][1] + radius[k] + 8, places[k][1] - radius[k] - 7].find(free);
    if (y === undefined) continue;
    taken.push([x, y, half, 6]);
    root.append(svg('text', { class: 'halo', x, y: y + 4, 'text-anchor': 'middle' }, name));
  }
}
