// Lines and bars: traces of the chains, ROC, precision and recall, calibration, sizes of features.

/** Several lines over sweeps; `lines` are lists of [sweep, value], one per chain. */
function drawTrace(id, lines, { title, burnIn, last, whole }) {
  const element = area(id);
  const values = lines.map((line) => line.map((point) => point[1]));
  responsive(element, (width) => {
    const plot = frame(element, width, {
      height: 230,
      x: { domain: [0, last], title: 'sweep', whole: true },
      y: { domain: extent(values), title, whole },
      label: `${title} by sweep, ${lines.length} ${lines.length === 1 ? 'chain' : 'chains'}`,
    });
    const { root, across, up, margin, height } = plot;
    const end = across(Math.min(burnIn, last));
    const floor = height - margin.bottom;
    root.prepend(svg('rect', { class: 'shade', x: margin.left, y: margin.top, width: end - margin.left, height: floor - margin.top }));
    lines.forEach((line, chain) => {
      const points = line.map(([sweep, value]) => [across(sweep), up(value)]);
      root.append(svg('path', { class: 'mark', d: path(points), fill: 'none', stroke: colour(chain), 'stroke-width': 1.4, 'stroke-linejoin': 'round', opacity: 0.9 }));
      if (points.length < 40) points.forEach(([cx, cy]) => root.append(svg('circle', { class: 'mark', cx, cy, r: 2.5, fill: colour(chain) })));
    });
    tooltip(root, (event) => {
      const sweep = across.back(event.clientX - root.getBoundingClientRect().left);
      const nearest = (line) => line.reduce((best, point) => (Math.abs(point[0] - sweep) < Math.abs(best[0] - sweep) ? point : best), line[0]);
      const values = lines.map((line, chain) => (line.length ? `chain ${chain + 1}: ${short(nearest(line)[1], 5)}` : ''));
      const at = lines.find((line) => line.length);
      return at && [`sweep ${nearest(at)[0]}`, ...values.filter(Boolean)].join('\n');
    });
  });
}

const UNIT = [0, 1];

function curve(id, points, { x, y, label, step, guide, height = 270 }) {
  const element = area(id);
  responsive(element, (width) => {
    const { root, across, up } = frame(element, width, { height, x: { domain: UNIT, title: x }, y: { domain: UNIT, title: y }, label });
    if (guide) root.append(svg('path', { class: 'guide', d: path(guide.map(([a, b]) => [across(a), up(b)])) }));
    const drawn = [];
    points.forEach(([a, b], k) => {
      if (step && k) drawn.push([across(points[k - 1][0]), up(b)]);
      drawn.push([across(a), up(b)]);
    });
    root.append(
      svg('path', { class: 'mark', d: path(drawn), fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2, 'stroke-linejoin': 'round' }),
    );
    tooltip(root, (event) => {
      const at = across.back(event.clientX - root.getBoundingClientRect().left);
      const [a, b] = points.reduce((best, point) => (Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best), points[0]);
      return `${x}: ${short(a)}\n${y}: ${short(b)}`;
    });
  });
}

function drawPerformance(performance, probabilities) {
  const { roc, precision_recall: precision, calibration } = performance;
  if (roc.length) {
    curve('plot-roc', roc, {
      x: 'share of non-links taken', y: 'share of links found', guide: [[0, 0], [1, 1]],
      label: `ROC curve, area ${short(performance.auc, 4)}`,
    });
  } else say('plot-roc', 'It needs links and non-links.');
  if (precision.length) {
    curve('plot-pr', [[0, precision[0][1]], ...precision], {
      x: 'recall', y: 'precision', label: `Precision and recall, average precision ${short(performance.average_precision, 4)}`,
    });
  } else say('plot-pr', 'It needs links.');
  drawCalibration(calibration, probabilities ? 'predicted probability' : 'predicted score');
}

function drawCalibration(bins, title) {
  const element = area('plot-calibration');
  if (!bins.length) { say('plot-calibration', 'There are no pairs.'); return; }
  const most = Math.log1p(Math.max(...bins.map((bin) => bin.pairs)));
  responsive(element, (width) => {
    const { root, across, up } = frame(element, width, {
      height: 270, x: { domain: UNIT, title }, y: { domain: UNIT, title: 'rate of links' },
      label: `Calibration: the rate of links in ${bins.length} bins of the ${title}`,
    });
    root.append(
      svg('path', { class: 'guide', d: path([[across(0), up(0)], [across(1), up(1)]]) }),
      svg('path', { class: 'mark', d: path(bins.map((bin) => [across(bin.probability), up(bin.rate)])), fill: 'none', stroke: 'var(--accent)', 'stroke-width': 1.5, opacity: 0.6 }),
    );
    for (const bin of bins) {
      const dot = svg('circle', { class: 'mark', cx: across(bin.probability), cy: up(bin.rate), r: 3 + (5 * Math.log1p(bin.pairs)) / most, fill: 'var(--accent)' });
      tooltip(dot, () => `${grouped(bin.pairs)} pairs\npredicted ${short(bin.probability)}\nare links ${short(bin.rate)}`);
      root.append(dot);
    }
  });
}

/** A bar a feature; the more stable a feature, the stronger its colour. */
function drawSizes(features) {
  const element = area('plot-sizes');
  const { list } = features;
  if (!list.length) { say('plot-sizes', 'The draws agree on no feature.'); return; }
  const largest = Math.max(...list.map((feature) => feature.size));
  responsive(element, (width) => {
    const { root, across, up } = frame(element, width, {
      height: width < 420 ? 300 : 430, x: { domain: [0.4, list.length + 0.6], title: 'feature', ticks: 12, whole: true }, y: { domain: [0, largest * 1.05], title: 'nodes that have it', whole: true },
      label: `Sizes of ${list.length} features, from ${largest} down to ${list[list.length - 1].size}`,
    });
    const wide = Math.max(1, (across(2) - across(1)) * 0.78);
    list.forEach((feature, k) => {
      const stability = feature.stability === null ? 1 : feature.stability;
      const bar = svg('rect', {
        class: 'mark', x: across(k + 1) - wide / 2, y: up(feature.size), width: wide, height: Math.max(1, up(0) - up(feature.size)), rx: Math.min(3, wide / 4),
        fill: `color-mix(in srgb, var(--accent) ${20 + 80 * stability}%, var(--surface))`,
      });
      tooltip(bar, () => `feature ${k + 1}\n${feature.size} nodes\nstability ${short(feature.stability, 2)}`);
      root.append(bar);
    });
    const faint = 'linear-gradient(to right, color-mix(in srgb, var(--accent) 20%, var(--surface)), var(--accent))';
    element.append(html('p', { class: 'legend' }, 'stability 0', html('span', { class: 'ramp', style: `background:${faint}` }), '1'));
  });
}

/** Says why there is no plot. */
function say(id, text) {
  const element = area(id);
  if (element.watcher) element.watcher.disconnect();
  element.redraw = null;
  element.replaceChildren(html('p', {}, text));
}
