// Drives Chromium through pages of `dlfrm report`. Usage: node report.mjs CHROMIUM PAGE... ; exits with 1 at the first failure.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const MOST_MILLISECONDS = 2000;
const PHONES = [{ width: 360, height: 740 }, { width: 390, height: 844 }];
const DESK = { width: 1280, height: 900 };
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const PLOTS = ['plot-k', 'plot-log-joint', 'plot-auc', 'plot-roc', 'plot-pr', 'plot-calibration', 'plot-sizes',
  'plot-weights', 'plot-adjacency', 'plot-network'];

/** Everything that must not happen while a page is open. */
function watch(page) {
  const troubles = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => troubles.push(`failed request: ${request.url()}`));
  page.on('request', (request) => {
    if (request.url() !== page.expected && !request.url().startsWith('data:')) troubles.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => { troubles.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  return troubles;
}

/** What a plot shows: marks with an extent, colours of its canvas, or the text that stands in its place. */
const drawn = (page, id) => page.evaluate((plot) => {
  const area = document.querySelector(`#${plot} .area`);
  const marks = [...area.querySelectorAll('svg .mark')].filter((mark) => {
    const { width, height } = mark.getBoundingClientRect();
    return width + height > 0;
  });
  const canvas = area.querySelector('canvas');
  let pixels = [];
  if (canvas) {
    // Of a copy: reading a canvas again and again makes the browser complain.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
  }
  const colours = new Set();
  for (let k = 0; k < pixels.length; k += 4) colours.add(`${pixels[k]},${pixels[k + 1]},${pixels[k + 2]}`);
  const named = area.querySelector('[role="img"][aria-label]') !== null;
  return { marks: marks.length, colours: [...colours].sort(), named, said: area.querySelector('p:not(.legend)')?.textContent };
}, id);

async function plotsAreDrawn(page, report) {
  const network = report.relations[0];
  for (const id of PLOTS) {
    const found = await drawn(page, id);
    if (id === 'plot-network' && !network.drawing) {
      assert.match(found.said, /not drawn/, id);
    } else if (['plot-sizes', 'plot-weights'].includes(id) && network.features.count === 0) {
      assert.match(found.said, /no feature/, id);
    } else {
      assert.ok(found.marks > 0 || found.colours.length > 1 || (id === 'plot-weights' && found.colours.length > 0), `${id} is empty: ${found.said}`);
      assert.ok(found.named, `${id} has no text for those who do not see it`);
    }
  }
  const bars = await drawn(page, 'plot-sizes');
  assert.equal(bars.marks, network.features.list.length, 'a bar for each feature');
}

/** The texts of a column of the table, all rows of it. */
async function column(page, number) {
  const more = page.locator('#links-table figure .more');
  while (await more.isVisible()) await more.click();
  return page.locator(`#links-table tbody tr td:nth-child(${number + 1})`).allTextContents();
}

const value = (text) => Number(text.replace('−', '-').replace('+', '').split(' to ')[0]);

async function tableIsSorted(page, links) {
  const heads = page.locator('#links-table thead th');
  for (let number = 0; number < (await heads.count()); number += 1) {
    const head = heads.nth(number);
    const button = head.locator('button');
    if ((await button.count()) === 0) continue;
    const seen = {};
    // The second time by the keyboard.
    for (const press of [() => button.click(), () => button.focus().then(() => page.keyboard.press('Enter'))]) {
      await press();
      const order = await head.getAttribute('aria-sort');
      const texts = await column(page, number);
      assert.equal(texts.length, links.length, 'all links are there');
      // An interval is sorted by its lower end.
      const numeric = ['number', 'interval'].includes(await head.getAttribute('class'));
      const rises = (one, other) => (numeric ? value(one) <= value(other) : one.localeCompare(other, undefined, { numeric: true }) <= 0);
      for (let row = 1; row < texts.length; row += 1) {
        const [one, other] = order === 'ascending' ? [texts[row - 1], texts[row]] : [texts[row], texts[row - 1]];
        assert.ok(rises(one, other), `column ${number} ${order}, row ${row}: ${texts[row - 1]}, ${texts[row]}`);
      }
      seen[order] = texts;
    }
    assert.deepEqual(Object.keys(seen).sort(), ['ascending', 'descending'], `column ${number} turns round`);
    assert.equal(await page.locator('#links-table th[aria-sort]').count(), 1, 'one column is sorted by');
  }
}

async function tableIsSearched(page, links) {
  const search = page.locator('#links-search');
  const word = links[links.length - 1].target;
  const wanted = links.filter(({ source, target }) => `${source}\n${target}`.toLowerCase().includes(word.toLowerCase()));
  await search.fill(word);
  assert.equal((await column(page, 0)).length, wanted.length, `links of ${word}`);
  assert.equal(await page.locator('#links-count').textContent(), `${wanted.length} of ${links.length} links`);
  await search.fill('there is no such name');
  assert.equal(await page.locator('#links-table tbody tr').count(), 0);
  await search.fill('');
  assert.equal((await column(page, 0)).length, links.length);
}

/** The first link is explained by the reasons that its data have. */
async function reasonsAreShown(page, { predicted: [link] }) {
  const last = (await page.locator('#links-table thead th').count()) - 1;
  const [sources, targets, explained] = [await column(page, 0), await column(page, 1), await column(page, last)];
  const row = sources.findIndex((source, position) => source === link.source && targets[position] === link.target);
  assert.ok(link.why.length > 0 && link.more.length > 0, 'no reasons');
  for (const sentence of [link.why, ...link.more]) assert.ok(explained[row].includes(sentence), explained[row]);
}

async function darkModeIsDark(page) {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  const [light, cells] = [await background(), await drawn(page, 'plot-adjacency')];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(100);
  const [dark, after] = [await background(), await drawn(page, 'plot-adjacency')];
  assert.ok(Math.min(...light) > 200 && Math.max(...dark) < 60, `background ${light} and ${dark}`);
  assert.notDeepEqual(cells.colours, after.colours, 'the matrix keeps its colours in the dark');
  await page.emulateMedia({ colorScheme: 'light' });
}

async function fitsAPhone(page) {
  for (const phone of PHONES) {
    await page.setViewportSize(phone);
    await page.waitForTimeout(200);
    const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= shown, `the page is ${wide} wide on ${shown}`);
    // Rows of the table are cards: their cells stand below each other, and nothing scrolls sideways.
    const card = await page.evaluate(() => {
      const row = document.querySelector('#links-table tbody tr');
      const [, , probability, , why] = [...row.cells].map((cell) => cell.getBoundingClientRect());
      const box = row.closest('.box');
      return { below: why.top >= probability.bottom - 1, overflow: box.scrollWidth - box.clientWidth };
    });
    assert.ok(card.below && card.overflow <= 0, `${phone.width}: ${JSON.stringify(card)}`);
  }
  await page.setViewportSize(DESK);
  await page.waitForTimeout(200);
}

/** Sections answer questions in their order. */
async function questionsInOrder(page) {
  const titles = await page.locator('main section:not([hidden]) h2').allTextContents();
  const order = ['What was found', 'Which links are missing', 'How good it is', 'Whether to trust it', 'Details'];
  assert.deepEqual(titles.filter((title) => title !== 'Relations'), order);
}

/** Axes of counts have whole numbers. */
async function countsAreWhole(page) {
  for (const id of ['plot-k', 'plot-sizes']) {
    const texts = await page.locator(`#${id} svg text`).allTextContents();
    const numbers = texts.map(value).filter((number) => !Number.isNaN(number));
    if (texts.length) assert.ok(numbers.length > 1 && numbers.every(Number.isInteger), `${id}: ${texts}`);
  }
}

/** Nodes of several groups have a slice for each, names do not cover each other, and directions have arrows. */
async function networkIsReadable(page, { directed, relations: [relation] }) {
  if (!relation.drawing) return;
  const groups = new Set(relation.features.list.map((feature, k) => (feature.common || feature.avoidance ? 0 : k + 1)));
  const wanted = relation.drawing.nodes.map(({ features }) => Math.max(1, features.filter((number) => groups.has(number)).length));
  const found = await page.locator('#plot-network .node').evaluateAll((all) => all.map((node) => node.children.length));
  assert.deepEqual(found, wanted, 'slices');
  assert.equal(await page.locator('#plot-network .arrows').count(), directed ? 1 : 0);
  const boxes = await page.locator('#plot-network .halo').evaluateAll((all) => all.map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return { left, right, top: top + 2, bottom: bottom - 2, name: text.textContent };
  }));
  assert.ok(boxes.length > 0);
  for (const [k, one] of boxes.entries()) {
    for (const other of boxes.slice(0, k)) {
      const apart = one.left > other.right || other.left > one.right || one.top > other.bottom || other.top > one.bottom;
      assert.ok(apart, `${one.name} covers ${other.name}`);
    }
  }
}

/** What is downloaded has every link and its reason. */
async function linksAreDownloaded(page, links) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#links-download').click()]);
  const text = await readFile(await download.path(), 'utf8');
  assert.ok(text.startsWith('source,target,probability,low,high,why\n') && text.endsWith('\n'), text.slice(0, 80));
  assert.match(download.suggestedFilename(), /-missing-links\.csv$/);
  const cell = (name) => (/[",]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
  for (const { source, target, probability } of links) {
    assert.ok(text.includes(`\n${cell(source)},${cell(target)},${probability},`), `${source} ${target}`);
  }
}

async function relationsAreChosen(page, report) {
  assert.equal(await page.locator('#overview').isVisible(), report.relations.length > 1);
  if (report.relations.length > 1) {
    const names = page.locator('#overview .choice');
    assert.equal(await names.count(), report.relations.length);
    await names.last().click();
    assert.equal(await page.locator('#relation').inputValue(), String(report.relations.length - 1));
  }
  assert.equal(await page.locator('#relation-choice').isVisible(), report.relations.length > 1);
  for (let number = 0; number < report.relations.length && report.relations.length > 1; number += 1) {
    await page.selectOption('#relation', { index: number });
    const { links, predicted } = report.relations[number];
    assert.equal((await page.locator('#tiles dd').nth(2).textContent()).replace(/\D/g, ''), String(links));
    assert.equal((await column(page, 0)).length, predicted.length);
  }
  if (report.relations.length > 1) await page.selectOption('#relation', { index: 0 });
}

async function check(browser, file) {
  const page = await browser.newPage({ viewport: DESK, colorScheme: 'light' });
  page.expected = pathToFileURL(file).href;
  const troubles = watch(page);
  const began = performance.now();
  await page.goto(page.expected, { waitUntil: 'load' });
  await page.waitForSelector('#links-table tbody tr');
  const took = performance.now() - began;
  const report = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent));
  const { predicted } = report.relations[0];
  assert.equal(await page.title(), `${report.network}: report of dlfrm`);
  await questionsInOrder(page);
  await plotsAreDrawn(page, report);
  await countsAreWhole(page);
  await networkIsReadable(page, report);
  await linksAreDownloaded(page, predicted);
  await tableIsSorted(page, predicted);
  await tableIsSearched(page, predicted);
  await reasonsAreShown(page, report.relations[0]);
  await relationsAreChosen(page, report);
  await darkModeIsDark(page);
  await fitsAPhone(page);
  assert.ok(took < MOST_MILLISECONDS, `${took.toFixed(0)} ms until the page stands`);
  assert.deepEqual(troubles, []);
  console.log(`${basename(file)}: opens in ${took.toFixed(0)} ms; ${PLOTS.length} plots, ${predicted.length} links sorted and searched`);
  await page.close();
}

const [executablePath, ...files] = process.argv.slice(2);
assert.ok(executablePath && files.length, 'usage: node report.mjs CHROMIUM PAGE...');
const profile = await mkdtemp(join(tmpdir(), 'dlfrm-browser-'));
const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: FLAGS });
try {
  for (const file of files) await check(browser, file);
} finally {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}
