// The page of a run: it listens to its events and draws what it hears.

import { Chart, signed, whole } from './chart.js';
import { showCluster } from './cluster.js';
import { Games } from './game.js';
import { byId, refusal } from './site.js';
import { Weights } from './weights.js';

const mostRows = 1200; // of a curve; beyond, every second of the older half goes
const leastPairs = 20; // for a strength to be shown: below, its interval is worth nothing
const again = 3000; // ms from a stream that was refused to the next
const listed = 'listed' in document.body.dataset; // the page is one of many

const elo = new Chart(byId('curve'), { zero: 0, format: signed });
const fitness = new Chart(byId('fitness'), { zero: 0, format: signed });
const spread = new Chart(byId('spread'), { floor: 0 });
const games = new Games();
const weights = new Weights();

let generations = [], curve = [], stage = '';
let stored; // the run is read from the database
let run; // which one the page shows, undefined before the first event

// grow adds rows. Those of a run that has gone back come again under the same keys: the later replace the earlier.
function grow(rows, more, key) {
  rows = [...rows.filter(row => row[key] < more[0][key]), ...more];
  return rows.length > mostRows ? rows.filter((_, i) => i % 2 === 0 || i > rows.length / 2) : rows;
}

function hello(message) {
  const { run: hash, begun } = message.facts;
  if (run !== undefined && run !== `${hash} ${begun}`) { // another run at this address: nothing of this page is its own
    location.reload();
    return;
  }
  run = `${hash} ${begun}`;
  generations = [];
  curve = [];
  games.clear();
  stored = message.stored;
  games.finished(stored || stands());
  weights.reset(message.weights);
}

function rows(message) {
  games.add(message.games);
  if (message.curve.length > 0) {
    curve = grow(curve, message.curve, 'games');
    elo.show([{ name: 'Elo', colour: 0, points: [{ x: 0, y: 0 }, ...curve.map(p => ({ x: p.games, y: p.elo, low: p.low, high: p.high, note: `in ${p.pairs} pairs` }))] }]);
  }
  if (message.generations.length > 0) {
    generations = grow(generations, message.generations, 'number');
    const of = key => generations.map(g => ({ x: g.games, y: g[key] }));
    const rated = key => generations.filter(g => g.best !== 0 || g.mean !== 0).map(g => ({ x: g.games, y: g[key] }));
    fitness.show([{ name: 'best', colour: 0, points: rated('best') }, { name: 'mean', colour: 1, points: rated('mean') }]);
    spread.show([{ name: 'spread', colour: 0, points: of('spread') }, { name: 'step σ', colour: 1, points: of('sigma') }]);
    weights.show(generations);
  }
}

function duration(seconds) {
  if (!(seconds > 0)) return '–';
  const h = Math.floor(seconds / 3600), m = Math.floor(seconds % 3600 / 60), s = Math.floor(seconds % 60);
  return h > 0 ? `${h} h ${m} min` : m > 0 ? `${m} min ${s} s` : `${s} s`;
}

// stands reports whether nobody plays the run: it is done, or can be resumed.
const stands = () => stage === 'done' || stage === 'interrupted';

function now(n) {
  stage = n.stage;
  status(true);
  games.finished(stored || stands());
  byId('games').textContent = whole(n.games);
  byId('budget').textContent = `of ${whole(n.budget)}`;
  byId('done').value = n.budget > 0 ? n.games / n.budget : 0;
  byId('generation').textContent = n.generation;
  byId('phase').textContent = n.phase;
  byId('speed').textContent = n.games_per_second > 0 && !stands() ? n.games_per_second.toFixed(1) : '–';
  byId('left').textContent = stage === 'done' ? 'done' : duration(stands() ? 0 : n.left);
  byId('left-note').hidden = stands();
  strength(n);
  promises();
  trial(n);
  labels(n);
}

// strength shows the last check matches where there are enough of them, and else what is missing.
function strength(n) {
  const shown = n.against_pairs >= leastPairs;
  byId('elo').textContent = shown ? `${signed(n.against.elo)} [${signed(n.against.low)}, ${signed(n.against.high)}] Elo` : '–';
  if (shown) byId('elo-note').textContent = `95 % interval, ${whole(n.against_pairs)} pairs`;
  else if (n.against_pairs > 0) byId('elo-note').textContent = `${n.against_pairs} ${n.against_pairs === 1 ? 'pair' : 'pairs'}: shown from ${leastPairs} on`;
  else byId('elo-note').textContent = stage === 'done' ? 'no check match was played' : 'no check match yet';
}

// promises says in charts without points when they get some, or that none come any more.
function promises() {
  const first = what => stage === 'done' ? `no ${what} was played` : `after the first ${what}`;
  elo.promise(first('check match'));
  fitness.promise(first('generation with ratings'));
  for (const chart of [spread, weights.chart]) chart.promise(first('generation'));
}

// labels shows how far the positions of the games are labelled.
function labels(n) {
  byId('labels').hidden = n.stage !== 'labels';
  byId('labels-text').textContent = `${whole(n.labelled)} of ${whole(n.positions)} positions; the weights are fitted to them then.`;
  byId('labels-done').value = n.positions > 0 ? n.labelled / n.positions : 0;
}

// trial shows the gate or the validation that is played.
function trial(n) {
  const gate = n.stage === 'gate';
  const shown = (gate || n.stage === 'validation') && n.pairs > 0;
  byId('trial').hidden = !shown;
  if (!shown) return;
  const figure = `${signed(n.judged.elo)} [${signed(n.judged.low)}, ${signed(n.judged.high)}] Elo after ${whole(n.pairs)} of at most ${whole(n.most)} pairs`;
  byId('trial-title').textContent = `${gate ? 'Gate' : 'Validation'} against ${n.opponent}`;
  byId('trial-text').textContent = gate ? `${figure}. It passes when the log-likelihood ratio ${n.llr.toFixed(2)} reaches the upper bound.` : `${figure}.`;
  byId('llr').hidden = !gate;
  byId('llr-low').textContent = `fails ${n.lower.toFixed(2)}`;
  byId('llr-high').textContent = `passes ${n.upper.toFixed(2)}`;
  Object.assign(byId('llr-bar'), { min: n.lower, max: n.upper, value: n.llr });
}

// verdict shows how the run ended.
function verdict(v) {
  byId('verdict').hidden = !v;
  byId('verdict-words').replaceChildren(...(v?.words ?? []).map(words => {
    const item = document.createElement('li');
    item.textContent = words;
    return item;
  }));
}

// status shows the stage, or why it is not known. The program that played a run to its end need not be there any more.
function status(connected, why = '') {
  const ended = stage === 'done' && !why;
  byId('status').textContent = connected || ended ? stage : why || 'no connection to the program that serves this page';
  byId('status').className = `status ${ended ? '' : !connected ? 'off' : stage === 'interrupted' ? 'open' : 'on'}`;
}

let source, waiting; // the stream, and the timer of the next one

// listen opens the stream anew. One page of many has none in the background: browsers open six connections to a program, and a stream
// keeps one of them. The only page of a program keeps its own, for the verdict with which the program may end.
function listen() {
  clearTimeout(waiting);
  source?.close();
  source = undefined;
  if (listed && document.hidden) return;
  const stream = source = new EventSource('events');
  for (const [name, handle] of Object.entries({ hello, rows, now, verdict, cluster: showCluster, live: message => games.follow(message) })) {
    stream.addEventListener(name, event => handle(JSON.parse(event.data)));
  }
  stream.addEventListener('error', () => lost(stream));
}

// lost says that a stream has ended. A browser connects again where a connection broke, and gives up where it was refused.
async function lost(stream) {
  if (stream.readyState !== EventSource.CLOSED) {
    status(false);
    return;
  }
  waiting = setTimeout(listen, again);
  const why = await reason();
  if (stream === source) status(false, why);
}

// reason asks why a stream is refused, which an EventSource does not tell; '' where it is not, or nobody answers.
async function reason() {
  const control = new AbortController();
  try {
    const answer = await fetch('events', { signal: control.signal });
    return answer.ok ? '' : await refusal(answer);
  } catch {
    return '';
  } finally {
    control.abort();
  }
}

if (listed) document.addEventListener('visibilitychange', listen);
listen();
