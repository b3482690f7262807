'use strict';
// What every plot is made of: elements, scales, axes, a tooltip, drawing again when the width changes.

const NAMESPACE = 'http://www.w3.org/2000/svg';
const COLOURS = 10;

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...(children || []).filter((child) => child !== null));
  return element;
}

/** An element of HTML. Children may be texts: names of nodes never become markup. */
const html = (name, attributes, ...children) => build(document.createElement(name), attributes, children);

/** An element of a drawing. */
const svg = (name, attributes, ...children) => build(document.createElementNS(NAMESPACE, name), attributes, children);

const byId = (id) => document.getElementById(id);
const area = (id) => byId(id).querySelector('.area');
const colour = (number) => `var(--c${number % COLOURS})`;

/** A number with so many significant digits; a dash for none. */
function short(value, digits = 3) {
  if (value === null || value === undefined) return '–';
  if (Number.isInteger(value)) return String(value).replace('-', '−');
  const size = Math.abs(value);
  const text = size >= 1000 ? value.toFixed(0) : size < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(digits)));
  return text.replace('-', '−');
}

const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const signed = (value) => (value > 0 ? '+' : '') + fixed(value, 2);
const fixed = (value, digits = 3) => (value === null ? '–' : value.toFixed(digits).replace('-', '−'));

/** Round numbers from low to high, about so many; whole ones for counts. */
function ticks(low, high, count, whole) {
  const rough = Math.max((high - low) / Math.max(1, count) || 1, whole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
  const all = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) all.push(Number((k * step).toPrecision(12)));
  return all;
}

/** The smallest and the largest of all values, with a little air; never equal. */
function extent(lists) {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists) {
    for (const value of list) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return [0, 1];
  const air = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return [low - air, high + air];
}

function scale([low, high], [from, to]) {
  const at = (value) => from + ((value - low) / (high - low)) * (to - from);
  at.back = (place) => low + ((place - from) / (to - from)) * (high - low);
  return at;
}

/** Draws into an element, and again whenever its width changes. */
function responsive(element, draw) {
  if (element.watcher) element.watcher.disconnect();
  let width = 0;
  const again = () => {
    const now = Math.floor(element.clientWidth);
    if (now === width || now === 0) return;
    width = now;
    draw(width);
  };
  element.redraw = () => { width = 0; again(); };
  element.watcher = new ResizeObserver(again);
  element.watcher.observe(element);
  again();
}

/** Axes, grid and titles of a plot. Gives the drawing and its scales. */
function frame(element, width, { height, x, y, label }) {
  const margin = { left: 66, right: 10, top: 8, bottom: 42 };
  const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  const across = scale(x.domain, [margin.left, width - margin.right]);
  const up = scale(y.domain, [height - margin.bottom, margin.top]);
  for (const value of ticks(...y.domain, y.ticks || 5, y.whole)) {
    root.append(
      svg('line', { class: 'grid-line', x1: margin.left, x2: width - margin.right, y1: up(value), y2: up(value) }),
      svg('text', { x: margin.left - 7, y: up(value) + 4, 'text-anchor': 'end' }, short(value, 4)),
    );
  }
  for (const value of ticks(...x.domain, Math.min(x.ticks || 6, width / 70), x.whole)) {
    root.append(svg('text', { x: across(value), y: height - margin.bottom + 16, 'text-anchor': 'middle' }, short(value, 4)));
  }
  root.append(
    svg('line', { class: 'axis', x1: margin.left, x2: width - margin.right, y1: height - margin.bottom, y2: height - margin.bottom }),
    svg('text', { x: (margin.left + width - margin.right) / 2, y: height - 6, 'text-anchor': 'middle' }, x.title),
    svg('text', { transform: `translate(12 ${(height - margin.bottom + margin.top) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, y.title),
  );
  element.replaceChildren(root);
  return { root, across, up, margin, width, height };
}

const path = (points) => points.map(([x, y], k) => `${k ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** Shows a text beside the pointer. */
function tip(event, text) {
  const box = byId('tip');
  if (!text) { box.hidden = true; return; }
  box.textContent = text;
  box.hidden = false;
  const [width, height] = [box.offsetWidth, box.offsetHeight];
  const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - width - 6);
  const above = event.clientY - height - 12;
  box.style.left = `${Math.max(6, left)}px`;
  box.style.top = `${above > 0 ? above : event.clientY + 16}px`;
}

/** Shows `text(event)` as a tooltip while the pointer is over an element. */
function tooltip(element, text) {
  for (const kind of ['pointermove', 'pointerdown']) element.addEventListener(kind, (event) => tip(event, text(event)));
  for (const kind of ['pointerleave', 'pointercancel']) element.addEventListener(kind, (event) => tip(event, null));
}

/** A table for reading. A column is a title, or a title with 'number' for its class. One of class 'cards' is a list of cards on a phone. */
function plainTable(columns, rows, kind) {
  const titles = columns.map(([title, kind]) => html('th', { scope: 'col', class: kind }, title));
  const cells = (row) => row.map((cell, k) => html('td', { class: columns[k][1], 'data-title': columns[k][0] }, cell));
  return html('table', { class: kind }, html('thead', {}, html('tr', {}, ...titles)), html('tbody', {}, ...rows.map((row) => html('tr', {}, ...cells(row)))));
}
