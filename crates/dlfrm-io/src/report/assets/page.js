// The page: which text and which plot stands where.

const report = JSON.parse(byId('data').textContent);

function heading() {
  byId('title').textContent = report.network;
  byId('subtitle').textContent = `${report.model} on ${grouped(report.nodes)} nodes, ${report.kind}`;
  byId('foot').textContent = `Made by dlfrm ${report.version}. This page holds all of its data and makes no requests.`;
  const rows = Object.entries(report.settings).map(([name, value]) => html('tr', {}, html('th', { scope: 'row' }, name), html('td', {}, value === null ? 'none' : String(value))));
  byId('settings-table').tBodies[0].replaceChildren(...rows);
}

function tile(title, value, remark) {
  return html('div', {}, html('dt', {}, title), html('dd', {}, value), remark ? html('dd', {}, remark) : null);
}

/** The relations in a table, if there are several; a name chooses one. */
function overview(choose) {
  byId('overview').hidden = report.relations.length < 2;
  const auc = ({ performance }) => (performance && performance.auc !== null ? `${fixed(performance.auc, 3)}${performance.held_out ? '' : ' (in-sample)'}` : '–');
  const row = (relation, number) => {
    const button = html('button', { type: 'button', class: 'choice' }, relation.relation || report.network);
    button.addEventListener('click', () => choose(number));
    const { agreement } = relation;
    return [button, grouped(relation.links), String(groups(relation).length), agreement && agreement.r_hat !== null ? fixed(agreement.r_hat, 2) : '–', auc(relation)];
  };
  const columns = [['relation'], ['links', 'number'], ['groups', 'number'], ['R-hat of predictions', 'number'], ['AUC', 'number']];
  byId('overview').querySelector('.box').replaceChildren(plainTable(columns, report.relations.map(row)));
}

/** The features with their numbers that some nodes have: what nearly all have is part of the intercept. */
const ofSome = ({ features }) => features.list.map((feature, k) => ({ ...feature, number: k + 1 })).filter(({ common }) => !common);

/** Those that are groups: members of the others avoid each other. */
const groups = (relation) => ofSome(relation).filter(({ avoidance }) => !avoidance);

function summary(relation) {
  const { performance } = relation;
  const on = performance && performance.held_out ? 'on held-out pairs' : 'in-sample';
  const chains = relation.traces.chains.length;
  const found = groups(relation);
  const common = relation.features.list.length - ofSome(relation).length;
  const avoidances = ofSome(relation).length - found.length;
  const several = (count, what) => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
  const lead = [found.length
    ? `${several(found.length, 'group')} of nodes that are linked in their own way, the largest with ${several(found[0].size, 'member')}. A node may be in several groups, or in none.`
    : 'No group that most draws agree on: the links are explained by the links around each pair.'];
  if (avoidances) lead.push(`${several(avoidances, 'further feature')} with a negative own weight ${avoidances === 1 ? 'is no group: its' : 'are no groups: their'} members avoid each other.`);
  if (common) lead.push(`${several(common, 'further feature')} that nearly all nodes have ${common === 1 ? 'is' : 'are'} part of the intercept.`);
  if (relation.features.count > relation.features.list.length) lead.push(`The ${relation.features.list.length} largest of ${grouped(relation.features.count)} features are shown.`);
  byId('found-lead').textContent = lead.join(' ');
  const tiles = [
    tile('Groups', grouped(found.length), found.length ? `${found.filter(({ stability }) => stability >= 0.9).length} of them sure` : 'that draws agree on'),
    tile('Links', grouped(relation.links), `${grouped(relation.observed_pairs)} pairs learned from`),
    tile('Features K in a draw', short(relation.k_mean), `90 %: ${short(relation.k_low)} to ${short(relation.k_high)}`),
    tile('Draws', grouped(relation.draws), `${several(chains, 'chain')}, ${short(relation.seconds)} s`),
  ];
  if (performance && performance.auc !== undefined && performance.auc !== null) tiles.push(tile('AUC', fixed(performance.auc, 4), on));
  if (performance && performance.average_precision !== null) tiles.push(tile('Average precision', fixed(performance.average_precision, 4), on));
  byId('tiles').replaceChildren(...tiles);
  const remarks = [];
  if (report.interrupted) remarks.push('The fit was ended early: it has fewer draws than its settings say.');
  if (!report.probabilities) remarks.push('This model has the hinge loss: its numbers between 0 and 1 rank pairs well, but are scores rather than probabilities.');
  const { agreement } = relation;
  if (agreement && agreement.r_hat !== null && agreement.r_hat > 1.05) remarks.push('Chains do not agree on predictions yet: see below whether to trust them.');
  byId('remarks').replaceChildren(...remarks.map((text) => html('p', { class: 'warning' }, text)));
  const verdict = relation.verdict.split('\n');
  if (relation.unconverged > 0) verdict.push(`Conjugate gradients ended ${grouped(relation.unconverged)} times without converging: those draws are less exact than they should be.`);
  byId('verdict').replaceChildren(...verdict.map((text) => html('p', { class: 'warning' }, text)));
}

function chains(relation) {
  const { traces, performance } = relation;
  const { step, burn_in: burnIn } = traces;
  const lines = (field) => traces.chains.map((chain) => chain[field].map((value, k) => [(k + 1) * step, value]));
  const last = Math.max(1, ...traces.chains.map((chain) => chain.k.length * step));
  byId('chain-legend').replaceChildren(...traces.chains.map((_, chain) => html('span', {}, html('span', { class: 'swatch', style: `background:${colour(chain)}` }), `chain ${chain + 1}`)));
  drawTrace('plot-k', lines('k'), { title: 'K', burnIn, last, whole: true });
  drawTrace('plot-log-joint', lines('log_joint'), { title: 'log joint density', burnIn, last });
  if (performance && performance.traces.length) {
    const of = traces.chains.map(() => []);
    for (const trace of performance.traces) of[trace.chain] = trace.sweeps.map((sweep, k) => [sweep, trace.auc[k]]);
    drawTrace('plot-auc', of, { title: performance.held_out ? 'AUC, held-out' : 'AUC, in-sample', burnIn, last });
  } else say('plot-auc', 'The AUC needs links and non-links to evaluate on.');
  const box = byId('convergence').querySelector('.box');
  const figures = (one) => [one.quantity, fixed(one.r_hat, 3), fixed(one.ess_bulk, 0), fixed(one.ess_tail, 0)];
  box.replaceChildren(relation.convergence.length
    ? plainTable([['quantity'], ['R-hat', 'number'], ['ESS bulk', 'number'], ['ESS tail', 'number']], relation.convergence.map(figures))
    : html('p', {}, 'The chains are too short for R-hat and ESS.'));
}

/** What the kernels did, chain by chain, as means over the sweeps. */
function sampler(relation) {
  const sweeps = (chain) => relation.traces.chains[chain].k.length * relation.traces.step;
  const row = (total, chain) => {
    const per = (value) => short(value / Math.max(1, sweeps(chain)));
    const solves = [total.weights.conjugate_gradients, total.linear.conjugate_gradients];
    const sum = (field) => solves.reduce((all, one) => all + one[field], 0);
    const milliseconds = Object.values(total.nanoseconds).reduce((all, one) => all + one, 0) / 1e6;
    return [String(chain + 1), per(total.features.births), per(total.features.deaths), per(total.features.flips + total.collapsed_rows.flips), per(sum('iterations')), grouped(sum('unconverged')), per(milliseconds)];
  };
  const columns = ['chain', 'births', 'deaths', 'flips', 'iterations', 'not converged', 'ms'];
  byId('sampler').hidden = relation.sampler.length === 0;
  byId('sampler').querySelector('.box').replaceChildren(plainTable(columns.map((title) => [title, 'number']), relation.sampler.map(row)));
}

/** Which pairs the curves are drawn on. */
function evaluatedOn({ performance }) {
  if (!performance) {
    return 'Some pairs of this network were not observed, and a model file does not say which: there are no non-links to evaluate on. Give held-out pairs with --test.';
  }
  const { pairs, links, learned, non_link_weight: weight } = performance;
  const counted = `${grouped(pairs)} pair${pairs === 1 ? '' : 's'}, ${grouped(links)} of them ${links === 1 ? 'a link' : 'links'}`;
  if (performance.held_out) {
    const leak = learned ? ` The model learned from ${grouped(learned)} of the ${grouped(pairs)} pairs, as links or as non-links: they are not held out, and the curves do not show how well new links are predicted.` : '';
    const named = [['AUC', performance.auc], ['average precision', performance.average_precision], ['log loss', performance.log_loss]];
    const known = named.filter(([, value]) => value !== null).map(([name, value]) => `${name} ${fixed(value, 4)}`);
    return `Evaluated on held-out pairs: ${counted}.${known.length ? ` ${known.join(', ')}.` : ''}${leak}`;
  }
  const sample = weight === 1 ? '' : ` They are a sample: precision and calibration take into account that a non-link stands for ${short(weight)} of them.`;
  return `In-sample: these curves are drawn on the network that the model learned from (${counted}), so they are too optimistic.${sample} To see how well new links are predicted, hold pairs out (dlfrm fit --hold-out, --test, or dlfrm evaluate).`;
}

function prediction(relation) {
  const { performance, coefficients } = relation;
  const text = byId('evaluated-on');
  text.textContent = evaluatedOn(relation);
  text.classList.toggle('warning', !(performance && performance.held_out && !performance.learned));
  byId('curves').hidden = !performance;
  if (performance) drawPerformance(performance, report.probabilities);
  const figure = byId('coefficients');
  figure.hidden = coefficients.length === 0;
  const row = ({ covariate, mean, low, high }) => [covariate, fixed(mean, 2), fixed(low, 2), fixed(high, 2)];
  figure.querySelector('.box').replaceChildren(plainTable([['covariate'], ['mean', 'number'], ['5 %', 'number'], ['95 %', 'number']], coefficients.map(row)));
}

/** The members of a feature: those that are not sure are pale. */
function memberNames({ size, members, certainties }) {
  const name = (member, k) => {
    const certainty = certainties[k];
    const sure = certainty === undefined || certainty >= 0.9;
    return html('span', sure ? {} : { class: 'pale', title: `in ${Math.round(100 * certainty)} % of the draws` }, member);
  };
  const listed = members.flatMap((member, k) => (k ? [', ', name(member, k)] : [name(member, k)]));
  return html('div', {}, ...listed, size > members.length ? `, and ${size - members.length} more` : null);
}

function features(relation) {
  const { features: all } = relation;
  drawSizes(all);
  drawWeights(all, !relation.symmetric);
  const side = all.list.length;
  const own = (number) => all.weights[all.diagonal ? number - 1 : (number - 1) * side + number - 1];
  const drawing = relation.drawing;
  const swatch = ({ number, avoidance }) => (!avoidance && drawing && drawing.colours[number - 1] !== null && drawing.colours[number - 1] !== undefined ? html('span', { class: 'swatch', style: `background:${colour(drawing.colours[number - 1])}` }) : null);
  const row = (group) => [html('span', {}, swatch(group), String(group.number)), String(group.size), memberNames(group), group.stability === null ? '–' : fixed(group.stability, 2), `${signed(own(group.number))}${group.avoidance ? ', members avoid each other' : ''}`];
  const columns = [['feature', 'mark-cell'], ['size', 'number'], ['members', 'wide'], ['how sure', 'number'], ['own weight', 'number']];
  const found = ofSome(relation);
  byId('members').hidden = found.length === 0;
  byId('members').querySelector('.box').replaceChildren(plainTable(columns, found.map(row), 'cards'));
}

function links(relation) {
  const what = relation.symmetric || !report.directed ? 'pairs' : 'ordered pairs';
  const numbers = report.probabilities ? 'the posterior mean of the probability' : 'the posterior mean of the score';
  byId('links-lead').textContent = relation.predicted.length
    ? `The most probable ${what} without a link, with ${numbers} and its 90 % interval, and why. “More” has the other reasons and the numbers behind them.`
    : 'The report was made without missing links (--top 0).';
  byId('links-table').replaceChildren();
  if (relation.predicted.length) drawLinks(relation.predicted, report, relation);
}

function show(relation) {
  summary(relation);
  chains(relation);
  sampler(relation);
  prediction(relation);
  features(relation);
  drawAdjacency(relation.adjacency, report.nodes, report.directed);
  drawNetwork(relation.drawing, report.directed, groups(relation));
  links(relation);
}

heading();
const choice = byId('relation');
report.relations.forEach((relation, number) => choice.append(html('option', { value: number }, relation.relation || report.network)));
choice.addEventListener('change', () => show(report.relations[Number(choice.value)]));
byId('relation-choice').hidden = report.relations.length < 2;
overview((number) => {
  choice.value = String(number);
  show(report.relations[number]);
  byId('found').scrollIntoView();
});
show(report.relations[0]);
// Canvases do not follow the style by themselves.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  document.querySelectorAll('.area').forEach((element) => element.redraw && element.redraw());
});
