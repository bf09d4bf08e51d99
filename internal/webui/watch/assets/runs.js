// The page of all stored runs: the list, and the curves and weights of those that are chosen.

import { Chart, short, signed, whole } from './chart.js';
import { byId, refusal } from './site.js';

const every = 3000; // ms between two looks
const mostChosen = 8, chosenAtFirst = 2, mostWeights = 60;

const toChoose = 'choose runs in the list';
const options = { zero: 0, format: signed, empty: toChoose, legend: false };
const curve = new Chart(byId('curve'), options), best = new Chart(byId('best'), options);

let runs = [], chosen; // names in the order of their choice; undefined until the first list
const figures = new Map(); // by name
const unknown = { curve: [], generations: [], weights: [] }; // of a run that this program cannot read, or that was just deleted

function cell(content, name = '') {
  const td = document.createElement('td');
  td.append(content);
  if (name) td.className = name;
  return td;
}

// choice is the box that takes a run into the comparison, and the link to its page.
function choice(run) {
  const box = document.createElement('input'), link = document.createElement('a'), both = document.createElement('span');
  box.type = 'checkbox';
  box.checked = chosen.includes(run.name);
  box.dataset.run = run.name;
  box.setAttribute('aria-label', `compare ${run.name}`);
  box.addEventListener('change', () => choose(run.name, box.checked));
  link.href = `/runs/${encodeURIComponent(run.name)}/`;
  link.textContent = run.name;
  both.append(box, mark(run.name), link);
  return both;
}

// mark is the dot in the colour of a chosen run.
function mark(name) {
  const dot = document.createElement('span'), at = chosen.indexOf(name);
  dot.className = at < 0 ? 'dot' : `dot d${at}`;
  return dot;
}

function row(run) {
  const tr = document.createElement('tr'), m = run.measured;
  const elo = m ? `${signed(m.elo)} [${signed(m.low)}, ${signed(m.high)}]` : '–';
  const began = new Date(run.begun);
  tr.append(cell(choice(run), 'name'), cell(run.status, run.status), cell(`${whole(run.played)} of ${whole(run.budget)}`), cell(run.verdict || '–'), cell(elo),
    cell(run.against || '–'), cell(run.start), cell(`${run.rule} ${run.size}×${run.size}`), cell(began.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })));
  return tr;
}

function list() {
  const focused = document.activeElement?.dataset?.run;
  byId('runs').replaceChildren(...runs.map(row));
  byId('none').hidden = runs.length > 0;
  if (focused !== undefined) byId('runs').querySelector(`[data-run="${CSS.escape(focused)}"]`)?.focus();
}

async function choose(name, taken) {
  chosen = taken ? [...chosen, name].slice(-mostChosen) : chosen.filter(n => n !== name);
  list();
  await compare();
}

async function ask(path) {
  const answer = await fetch(path).catch(() => { throw new Error('no connection: tune watch has ended'); });
  if (!answer.ok) throw new Error(await refusal(answer));
  return answer.json();
}

// compare draws the chosen runs; those that stand still are not asked for again. A run that is chosen meanwhile is drawn once its figures
// are there.
async function compare() {
  await Promise.all(chosen.map(async name => {
    const run = runs.find(r => r.name === name), known = figures.get(name);
    if (known && known.at === `${run?.status} ${run?.generations} ${run?.steps}`) return;
    const found = await ask(`/runs/${encodeURIComponent(name)}/figures.json`).catch(() => unknown);
    figures.set(name, { ...found, at: found === unknown ? '' : `${run?.status} ${run?.generations} ${run?.steps}` });
  }));
  curve.promise(chosen.length > 0 ? 'no check match yet of the chosen runs' : toChoose);
  best.promise(chosen.length > 0 ? 'no ratings yet of the chosen runs' : toChoose);
  const shown = chosen.map((name, colour) => ({ name, colour, ...figures.get(name) })).filter(f => figures.has(f.name));
  curve.show(shown.map(f => ({ name: f.name, colour: f.colour, points: f.curve.length ? [{ x: 0, y: 0 }, ...f.curve.map(p => ({ x: p.games, y: p.elo, low: p.low, high: p.high }))] : [] })));
  best.show(shown.map(f => ({ name: f.name, colour: f.colour, points: f.generations.filter(g => g.best !== 0 || g.mean !== 0).map(g => ({ x: g.games, y: g.best })) })));
  weights(shown);
}

// weights lists those in which the chosen runs differ from each other, or from the start where one run alone has them.
function weights(all) {
  const shown = all.filter(f => f.weights.length > 0), without = all.filter(f => f.weights.length === 0).map(f => f.name);
  byId('weights-note').textContent = `The last champions', the greatest differences first.${without.length > 0 ? ` No generation is known of ${without.join(', ')}.` : ''}`;
  const names = [...new Set(shown.flatMap(f => f.weights.map(w => w.name)))];
  const distance = values => Math.max(...values.map(v => Math.asinh(v))) - Math.min(...values.map(v => Math.asinh(v)));
  const rows = names.map(name => {
    const of = shown.map(f => f.weights.find(w => w.name === name));
    const known = of.filter(w => w);
    return { name, of, start: known[0].start, by: distance(known.length === 1 ? [known[0].start, known[0].now] : known.map(w => w.now)) };
  }).filter(r => r.by > 0).sort((a, b) => b.by - a.by).slice(0, mostWeights);
  const head = document.createElement('tr');
  for (const title of ['weight', ...(shown.length === 1 ? ['start'] : []), ...shown.map(f => f.name)]) {
    const th = document.createElement('th'), at = chosen.indexOf(title);
    if (at >= 0) th.append(mark(title), ' ');
    th.append(title);
    head.append(th);
  }
  byId('weights-head').replaceChildren(head);
  byId('weights').replaceChildren(...rows.map(r => {
    const tr = document.createElement('tr');
    tr.append(cell(r.name), ...(shown.length === 1 ? [cell(short(r.start))] : []), ...r.of.map(w => cell(w ? short(w.now) : '–')));
    return tr;
  }));
}

function status(words, kind) {
  byId('status').textContent = words;
  byId('status').className = `status ${kind}`;
}

async function look() {
  try {
    const found = (await ask('/runs.json')).runs.reverse(); // the latest first
    if (JSON.stringify(found) !== JSON.stringify(runs) || chosen === undefined) {
      runs = found;
      chosen = (chosen ?? runs.slice(0, chosenAtFirst).map(r => r.name)).filter(name => runs.some(r => r.name === name));
      list();
      await compare();
    }
    const playing = runs.filter(r => r.status === 'playing').length;
    status(playing > 0 ? `${playing} being played` : 'none is being played', playing > 0 ? 'on' : '');
  } catch (error) {
    status(error.message, 'off');
  }
  setTimeout(look, every);
}

look();
