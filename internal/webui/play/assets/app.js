// The page: games in tabs, each driven by the program's answers.

import { get, lines, post, Refused, remove, text, upload } from './api.js';
import { Analysis, positionOf } from './analysis.js';
import { Board } from './board.js';
import { drawCurve, plyAt } from './chart.js';
import { $, capital, el, onFile, onKeys, toast } from './dom.js';
import { Explorer } from './explorer.js';
import { fillPlayers, fillStrengths, keyOf, playerOf, strengthOf, suited } from './players.js';
import { drawReview, nextMistake } from './review.js';
import { Setup } from './setup.js';
import { drawTree, Node } from './tree.js';

const stored = 'quintune.games';
const games = new Map(); // by id: {view, tree, nodes, number, paused, thinking, shutting, hint, message, review, weights}; nodes are those of the line, weights what was chosen to analyse
let active = null;
let setup = null;
let numbered = 0;

const board = new Board($('board'), play, speak);
const analysis = new Analysis(() => draw(), () => refresh(active), (name) => shown(name), fail);

const setUp = new Setup();

const explorer = new Explorer(play, (line) => (line ? analysis.show(line) : analysis.unmarked()), (name) => shown(name));

const current = () => games.get(active);
const nodeOf = (game) => game.nodes[game.view.ply];
const colours = ['black', 'white'];
const turnOf = (view) => colours.indexOf(view.turn);
const ongoing = (view) => view.outcome === 'ongoing';
const isEngine = (seat) => Boolean(seat.player || seat.name);
const anyEngine = (view) => view.seats.some(isEngine);

// --- messages

function fail(error) {
  if (error.name !== 'AbortError') toast(error.message);
}

function speak(name) {
  const view = current().view;
  const at = view.moves.slice(0, view.ply).indexOf(name);
  const what = at >= 0 ? `${colours[at % 2]} stone, move ${at + 1}` : name in view.forbidden ? `empty, forbidden to Black: ${view.forbidden[name]}` : 'empty';
  $('speech').textContent = `${shown(name)}, ${what}`;
}

// announce tells the engine's move to those who do not see it.
function announce(game) {
  const { view } = game;
  if (!view.ply) return;
  const mover = colours[(view.ply - 1) % 2];
  $('speech').textContent = `${capital(mover)} plays ${shown(view.moves[view.ply - 1])}. ${statusOf(game)}`;
}

// shown returns a cell as the labels of the board have it.
function shown(name, { size } = current().view) {
  return $('renju-notation').checked ? name[0] + (size + 1 - Number(name.slice(1))) : name;
}

// --- games

function adopt(view, options = {}) {
  const tree = options.tree ? Node.from(options.tree) : new Node();
  const game = { tree, number: ++numbered, paused: Boolean(options.paused), thinking: null, hint: null, message: '' };
  see(game, view);
  games.set(view.id, game);
  remember();
  if (options.show !== false) activate(view.id);
  return game;
}

// see takes a state of a game; the tree grows by its line, and knows what was thought of positions of other lines.
function see(game, view) {
  game.view = view;
  game.nodes = game.tree.follow(view.moves);
  game.nodes.forEach((node, i) => {
    node.judged = view.judged[i] || node.judged;
    view.judged[i] = node.judged;
  });
}

// remember keeps what a game can be gone on with, should the program be started anew.
function remember() {
  const kept = [...games.values()].map(({ view, tree }) => ({
    id: view.id, tree: tree.kept(), size: view.size, rule: view.rule, moves: view.moves, ply: view.ply, opening: view.opening, names: view.names, seats: view.seats.map(bodyOf),
  }));
  try {
    sessionStorage.setItem(stored, JSON.stringify(kept));
  } catch { /* a browser that keeps nothing, or has no room: the games last as long as the page */ }
}

// recall returns what was kept of games, nothing where the browser keeps nothing.
function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(stored) || '[]');
  } catch {
    return [];
  }
}

const forgotten = (error) => error instanceof Refused && error.status === 404;

// begunAnew returns a new game with the moves of one that the program has forgotten.
async function begunAnew(view) {
  const known = (seat) => (!seat.player || playerOf(setup, seat.player) ? bodyOf(seat) : { ...bodyOf(seat), player: setup.default });
  const body = { size: view.size, rule: view.rule, moves: view.moves.join(''), swap2: Boolean(view.opening), names: view.names, seats: view.seats.map(known) };
  const fresh = await post('/api/games', body);
  return view.ply < view.moves.length ? post(`/api/games/${fresh.id}/go`, { ply: view.ply }) : fresh;
}

// revive puts a new game in the place of one that the program has forgotten.
async function revive(game) {
  const old = game.view.id;
  see(game, await begunAnew(game.view));
  const list = [...games.values()];
  games.clear();
  for (const g of list) games.set(g.view.id, g);
  if (active === old) {
    active = game.view.id;
    history.replaceState(null, '', `#game=${active}`);
  }
  remember();
  toast('The program was started anew: the game goes on with the moves that stand here.');
}

function activate(id) {
  active = id;
  setUp.end();
  history.replaceState(null, '', `#game=${id}`);
  const { view } = current();
  for (const [i, colour] of colours.entries()) {
    fillPlayers($(`${colour}-player`), setup, view.seats[i].player, { person: true });
    fillSeatStrength(colour, view.seats[i]);
  }
  $('analysis-weights').value = current().weights ?? suited($('analysis-weights').value, setup, view);
  draw();
  drive(current());
}

const shownStrength = (seat) => (isEngine(seat) && (seat.level || seat.nodes || seat.time) ? seat : setup.strength);

function fillSeatStrength(colour, seat) {
  const player = playerOf(setup, seat.player);
  const select = $(`${colour}-strength`);
  fillStrengths(select, setup, keyOf(shownStrength(seat), setup.maxLevel), !player || player.weights);
  select.disabled = !seat.player;
}

// shut closes a game. The last one gives way to a new one, and stays where none can begin.
async function shut(id) {
  const game = games.get(id);
  if (game.shutting) return; // a double click
  game.shutting = true;
  try {
    if (games.size === 1) await create(firstGame());
  } catch (error) {
    game.shutting = false;
    fail(error);
    return;
  }
  game.thinking?.abort();
  game.reviewing?.abort();
  games.delete(id);
  remember();
  remove(`/api/games/${id}`).catch(() => {}); // it may be forgotten already
  if (id === active) activate([...games.keys()].at(-1));
  else draw();
}

// update takes a new state of a game; what was known of another position is not shown any more.
function update(game, view) {
  see(game, view);
  game.hint = null;
  remember();
  draw();
  drive(game);
}

async function refresh(id) {
  const game = games.get(id);
  if (!game) return;
  try {
    see(game, await get(`/api/games/${id}`));
    draw();
  } catch (error) {
    fail(error);
  }
}

// asked posts a request about a game, once more where the program had forgotten the game.
async function asked(game, path, body, signal) {
  try {
    return await post(`/api/games/${game.view.id}/${path}`, body, signal);
  } catch (error) {
    if (!forgotten(error)) throw error;
    await revive(game);
    return post(`/api/games/${game.view.id}/${path}`, body, signal);
  }
}

// act changes a game; an engine that thinks about it stops.
async function act(game, path, body, options = {}) {
  game.thinking?.abort();
  game.thinking = null;
  if (options.paused !== undefined) game.paused = options.paused;
  game.message = '';
  try {
    update(game, await asked(game, path, body));
  } catch (error) {
    game.message = error.message;
    draw();
    if (error instanceof Refused && error.status === 409) await refresh(game.view.id);
    drive(game);
  }
}

// drive lets the engine think where it is its turn.
async function drive(game) {
  const { view } = game;
  if (!ongoing(view) || !isEngine(view.mover) || game.paused || game.thinking || !games.has(view.id)) return;
  const control = new AbortController();
  game.thinking = control;
  if (view.id === active) draw();
  let retry = false;
  try {
    const answer = await asked(game, 'think', { ply: view.ply }, control.signal);
    if (game.thinking !== control) return;
    game.thinking = null;
    game.message = '';
    update(game, answer.game);
    if (game === current()) announce(game);
    return;
  } catch (error) {
    if (game.thinking !== control) return;
    game.thinking = null;
    if (error instanceof Refused && error.status === 503) {
      retry = true;
    } else if (error.name !== 'AbortError') {
      game.paused = true;
      game.message = error.message;
      if (error instanceof Refused && error.status === 409) await refresh(game.view.id);
    }
  }
  draw();
  if (retry) setTimeout(() => drive(game), 1000);
}

function play(name) {
  const game = current();
  const { view } = game;
  if (setUp.on) {
    setUp.put(name);
    draw();
    return;
  }
  if (view.options.length && !isEngine(view.mover)) {
    game.message = 'Choose a side first: the buttons are above the board’s tools.';
  } else if (!ongoing(view)) {
    game.message = 'The game is over. Undo, or begin a new one.';
  } else if (isEngine(view.mover)) {
    game.message = game.paused ? 'It is the engine’s turn: Continue lets it move.' : 'It is not your turn.';
  } else if (view.moves.slice(0, view.ply).includes(name)) {
    game.message = `${shown(name)} is occupied.`;
  } else if (view.turn === 'black' && name in view.forbidden) {
    game.message = `${shown(name)} is forbidden to Black: ${view.forbidden[name]}.`;
  } else {
    const known = nodeOf(game).child(name);
    if (known && !view.opening) act(game, 'line', { moves: known.line().join(''), ply: known.ply }, { paused: false });
    else act(game, 'play', { cell: name, ply: view.ply }, { paused: false });
    return;
  }
  draw();
}

// choose takes an option of an opening under swap2.
const choose = (option) => act(current(), 'choose', { option, ply: current().view.ply }, { paused: false });

// move takes moves back or puts them again. Engines that play each other and are held stay so, else they would move at once.
const move = (way) => act(current(), 'go', { way }, { paused: current().paused && current().view.seats.every(isEngine) });
const undo = () => move('undo');
const redo = () => move('redo');

async function goTo(ply) {
  const game = current();
  const target = Math.max(0, Math.min(ply, game.view.moves.length));
  if (target !== game.view.ply && !game.view.opening) await act(game, 'go', { ply: target }, { paused: anyEngine(game.view) });
}

// step goes some moves on. Steps that are asked for while one is under way add up.
async function step(by) {
  const game = current();
  const under = game.heading !== undefined;
  game.heading = Math.max(0, Math.min((game.heading ?? game.view.ply) + by, game.view.moves.length));
  if (under) return;
  for (let last; game.heading !== game.view.ply && game.heading !== last && game === current();) {
    last = game.heading;
    await goTo(last);
  }
  game.heading = undefined;
}

// goToNode goes to a move of any variation.
function goToNode(node) {
  const game = current();
  if (node === game.nodes[node.ply]) goTo(node.ply);
  else if (!game.view.opening) act(game, 'line', { moves: node.line().join(''), ply: node.ply }, { paused: anyEngine(game.view) });
}

// promote makes the variation on the board the main line.
function promote() {
  nodeOf(current()).promote();
  remember();
  draw();
}

// cut deletes the last move on the board with all that follows it.
async function cut() {
  const game = current();
  const node = nodeOf(game);
  const { parent } = node;
  if (!parent || game.view.opening) return;
  const other = parent.children.find((child) => child !== node);
  await act(game, 'line', { moves: (other ? other.line() : parent.path()).join(''), ply: parent.ply }, { paused: anyEngine(game.view) });
  if (nodeOf(game) !== parent) return;
  node.remove();
  remember();
  draw();
}

const bodyOf = (seat) => ({ player: seat.player, level: seat.level, nodes: seat.nodes, time: seat.time });

async function swap() {
  const game = current();
  await act(game, 'seats', { swap: true }, { paused: false });
  activate(game.view.id);
}

async function seatsChanged() {
  const game = current();
  const seats = colours.map((colour, i) => {
    const player = $(`${colour}-player`).value;
    if (!player) return { player: '', level: 0, nodes: 0, time: 0 };
    const known = playerOf(setup, player);
    const before = shownStrength(game.view.seats[i]);
    const key = fillStrengths($(`${colour}-strength`), setup, $(`${colour}-strength`).value || keyOf(before, setup.maxLevel), known.weights);
    return { player, ...strengthOf(key, before, setup.maxLevel) };
  });
  await act(game, 'seats', { seats });
  activate(game.view.id);
}

async function hint() {
  const game = current();
  const { view } = game;
  if (!ongoing(view)) return;
  game.message = 'Looking for a hint…';
  draw();
  try {
    let best = null;
    let reason = ''; // why other weights than the chosen ones give it
    await lines(`/api/games/${view.id}/analyze`, { ply: view.ply, weights: $('analysis-weights').value, lines: 1, time: 1000 }, undefined, (step) => {
      best = step.lines?.[0] ?? best;
      if (step.instead) reason = ` (${step.instead})`;
    });
    if (positionOf(game.view) !== positionOf(view)) return;
    await refresh(view.id);
    game.hint = best.move;
    game.message = `Hint: ${shown(best.move, view)}${reason}`;
    if (game === current()) board.cursor = best.move;
  } catch (error) {
    game.message = error.message;
  }
  draw();
}

function run() {
  const game = current();
  game.paused = !game.paused;
  if (game.paused) {
    game.thinking?.abort();
    game.thinking = null;
  }
  draw();
  drive(game);
}

async function evaluate() {
  const game = current();
  $('evaluate').disabled = true;
  try {
    await lines(`/api/games/${game.view.id}/curve`, { weights: $('analysis-weights').value }, undefined, ({ ply, judged }) => {
      game.view.judged[ply] = game.nodes[ply].judged = judged;
      draw();
    });
  } catch (error) {
    fail(error);
  } finally {
    $('evaluate').disabled = false;
  }
}

// review goes through the whole game, or stops doing so.
async function review() {
  const game = current();
  if (game.reviewing) {
    game.reviewing.abort();
    return;
  }
  const control = new AbortController();
  game.reviewing = control;
  try {
    await lines(`/api/games/${game.view.id}/review`, { weights: $('analysis-weights').value }, control.signal, (step) => {
      if (step.review) noteReview(game, step.review);
      game.left = step.left;
      drawReviewButton(game);
    });
    await refresh(game.view.id);
  } catch (error) {
    fail(error);
  } finally {
    game.reviewing = null;
    draw();
  }
}

function noteReview(game, found) {
  game.review = found;
  game.tree.follow(found.moves).slice(1).forEach((node, i) => node.remark(found.notes[i]));
}

function drawReviewButton(game) {
  if (game !== current()) return;
  $('review').textContent = game.reviewing ? `Stop (${game.left ?? game.view.moves.length} left)` : 'Review';
  $('review').disabled = !game.view.moves.length;
}

function toNextMistake() {
  const game = current();
  const node = nextMistake(game.nodes, game.view.ply);
  if (node) goToNode(node);
}

// instead shows a line in the place of the last move on the board, null for none.
function instead(line) {
  const game = current();
  game.instead = line && { line, ply: game.view.ply };
  draw();
}

// --- drawing

function draw() {
  const game = current();
  if (!game) return;
  const { view } = game;
  drawTabs();
  setUp.draw();
  $('tools').hidden = setUp.on;
  drawScore(game);
  const other = game.instead?.ply === view.ply ? game.instead.line : null;
  const shownPly = other ? view.ply - 1 : view.ply;
  const stones = view.moves.slice(0, shownPly).map((cell, i) => ({ cell, black: i % 2 === 0 }));
  const analysing = analysis.on && ongoing(view);
  analysis.follow(view);
  explorer.follow(view);
  if (setUp.on) drawSetUp(view);
  else board.render({
    size: view.size, stones, last: stones.at(-1)?.cell, row: other ? [] : view.row, forbidden: other ? {} : view.forbidden, turn: colours[shownPly % 2],
    playable: ongoing(view) && !isEngine(view.mover), hint: game.hint,
    heat: analysing && !other && $('heat').checked ? analysis.heat : null, marks: analysing && !other && !analysis.preview.length ? analysis.marks() : [],
    preview: other || analysis.preview, numbers: $('numbers').checked, fromBottom: $('renju-notation').checked, twice: $('twice').checked,
  });
  $('board').setAttribute('aria-label', `Board, ${view.size} by ${view.size}, ${view.rule}, ${view.ply} moves played`);
  $('rule').textContent = `${capital(view.rule)} ${view.size} × ${view.size}`;
  $('analysis-state').textContent = analysis.on ? 'on' : 'off';
  drawTools(game);
  drawMoves(game);
  drawReview(game.review, game.nodes, nodeOf(game), shown, instead);
  drawReviewButton(game);
  drawCurve($('curve'), view.judged, view.ply, view.moves.length);
  for (const format of ['psq', 'sgf', 'moves']) $(`save-${format}`).href = `/api/games/${view.id}/record?format=${format}`;
  const facts = view.seats.map((s) => playerOf(setup, s.player)).filter((p) => p?.proven).map((p) => `${p.label}: ${p.proven}`);
  $('proven').textContent = [...new Set(facts)].join(' · ');
}

function drawSetUp({ size }) {
  const stones = [...setUp.stones].map(([cell, black]) => ({ cell, black }));
  board.render({ size, stones, row: [], forbidden: {}, turn: 'black', playable: false, fromBottom: $('renju-notation').checked });
}

function drawTabs() {
  const focused = document.activeElement?.dataset?.tab;
  $('tabs').replaceChildren(...[...games.values()].map(({ view, number, thinking }) => el('span', { class: view.id === active ? 'tab on' : 'tab' },
    el('button', { type: 'button', 'aria-current': view.id === active ? 'page' : 'false', 'data-tab': view.id, click: () => activate(view.id) }, `Game ${number}${thinking && view.id !== active ? ' …' : ''}`),
    el('button', { type: 'button', class: 'shut', 'aria-label': `Close game ${number}`, click: () => shut(view.id) }, '×'))));
  if (focused) $('tabs').querySelector(`[data-tab="${CSS.escape(focused)}"]`)?.focus();
}

function nameOf(view, i) {
  const seat = view.seats[i];
  if (isEngine(seat)) return seat.name;
  if (view.names[i] && view.names[i] !== 'human') return view.names[i];
  return isEngine(view.seats[1 - i]) ? 'You' : capital(colours[i]);
}

function drawScore({ view }) {
  const parties = ['Opener', 'Responder'];
  const chooser = view.opening === 'answer' || view.opening === 'add' ? 1 : 0;
  for (const [i, colour] of colours.entries()) {
    $(`${colour}-name`).textContent = view.opening ? `${parties[i]}: ${nameOf(view, i)}` : nameOf(view, i);
    $(`${colour}-turn`).hidden = !ongoing(view) || (view.opening ? chooser !== i : view.turn !== colour);
    $(`${colour}-turn`).textContent = view.options.length ? 'to choose' : 'to move';
  }
  const known = view.judged.slice(0, view.ply + 1).findLast(Boolean);
  let chances = known?.chances ?? 0.5;
  let text = 'no evaluation yet';
  const outcome = view.recorded?.outcome ?? view.outcome;
  if (outcome === 'black wins' || outcome === 'white wins') {
    chances = outcome === 'black wins' ? 1 : 0;
    text = capital(outcome);
  } else if (outcome === 'draw') {
    chances = 0.5;
    text = 'Draw';
  } else if (known?.win) {
    text = `${known.win > 0 ? 'Black' : 'White'} wins in ${Math.abs(known.win)}`;
  } else if (known?.expected) {
    text = `${known.expected === 'win' ? 'Black' : 'White'} wins, it seems`;
  } else if (known) {
    text = `Black ${Math.round(100 * chances)} %`;
  }
  $('bar-black').style.width = `${100 * chances}%`;
  $('bar-text').textContent = text;
  $('bar').setAttribute('aria-valuenow', String(Math.round(100 * chances)));
  $('bar').setAttribute('aria-valuetext', text);
}

function statusOf(game) {
  const { view } = game;
  if (view.outcome === 'draw') return 'A draw.';
  if (!ongoing(view)) {
    const winner = view.outcome === 'black wins' ? 0 : 1;
    const name = nameOf(view, winner);
    return name === 'You' ? 'You win.' : `${capital(colours[winner])} wins${isEngine(view.seats[winner]) ? `: ${name}` : ''}.`;
  }
  if (game.thinking) return `${view.mover.name} thinks`;
  if (view.recorded) {
    const { outcome, reason } = view.recorded;
    const end = outcome === 'draw' ? 'A draw' : `${outcome === 'black wins' ? 'Black' : 'White'} won`;
    return `${end}${reason ? ` (${reason})` : ''}, says the record.`;
  }
  if (view.options.length) return 'Swap2: take Black, take White and move, or let the other side choose.';
  if (view.opening && !isEngine(view.mover)) return `Swap2: put a ${view.turn} stone (${view.ply + 1} of ${view.opening === 'add' ? 5 : 3}).`;
  if (game.paused && isEngine(view.mover)) return `Engines wait at move ${view.ply} of ${view.moves.length}.`;
  return `${capital(view.turn)} to move${isEngine(view.seats[1 - turnOf(view)]) ? ': your turn' : ''}.`;
}

function drawTools(game) {
  const { view } = game;
  const text = setUp.on ? setUp.text() : game.message || statusOf(game);
  if ($('status').textContent !== text) $('status').textContent = text;
  $('status').classList.toggle('busy', Boolean(game.thinking) && !game.message);
  $('first').disabled = $('back').disabled = $('undo').disabled = view.ply === 0;
  $('last').disabled = $('forth').disabled = $('redo').disabled = view.ply === view.moves.length;
  $('hint').disabled = !ongoing(view);
  $('solve').disabled = !ongoing(view);
  if (view.opening) { // only stones of one's own step can be taken back
    for (const id of ['first', 'back', 'forth', 'last', 'redo']) $(id).disabled = true;
    $('undo').disabled = view.options.length > 0 || isEngine(view.mover) || view.ply === (view.opening === 'add' ? 3 : 0);
  }
  const options = ongoing(view) && !isEngine(view.mover) ? view.options : [];
  $('choices').hidden = setUp.on || !options.length;
  for (const option of ['black', 'white', 'two']) $(`take-${option}`).hidden = !options.includes(option);
  for (const id of ['swap', 'black-player', 'white-player']) $(id).disabled = Boolean(view.opening);
  for (const [i, colour] of colours.entries()) $(`${colour}-strength`).disabled = Boolean(view.opening) || !view.seats[i].player;
  $('run').hidden = !anyEngine(view) || !ongoing(view);
  $('run').textContent = game.paused ? 'Continue' : 'Pause';
}

function drawMoves({ tree, nodes, view }) {
  const now = nodes[view.ply];
  drawTree($('moves'), tree, nodes, view.ply, shown, goToNode);
  $('variations').hidden = !tree.branches();
  $('promote').disabled = now.isMain();
  $('cut').disabled = !now.parent;
}

// --- new games, files, links

const firstGame = () => ({ size: 15, rule: 'freestyle', moves: '', seats: [{ player: '' }, { player: setup.default, ...setup.strength }] });

async function create(body) {
  return adopt(await post('/api/games', body));
}

// dialogEngine returns the engine that the dialog offers first.
const dialogEngine = () => current().view.seats.find((s) => s.player) || { player: suited(setup.default, setup, current().view), ...setup.strength };

function openDialog() {
  const { view } = current();
  $('new-rule').replaceChildren(...setup.rules.map((r) => el('option', { value: r }, capital(r))));
  $('new-rule').value = view.rule;
  const sizes = Array.from({ length: setup.maxSize - setup.minSize + 1 }, (_, i) => setup.minSize + i);
  $('new-size').replaceChildren(...sizes.map((s) => el('option', { value: String(s) }, `${s} × ${s}`)));
  $('new-size').value = String(view.size);
  const engine = dialogEngine();
  fillPlayers($('new-opponent'), setup, engine.player);
  fillPlayers($('new-other'), setup, engine.player);
  fillStrengths($('new-strength'), setup, keyOf(engine, setup.maxLevel), true);
  $('new-error').textContent = '';
  dialogSides();
  $('new-dialog').showModal();
}

// dialogBoard offers the weights of the board that is chosen now.
function dialogBoard() {
  const chosen = { rule: $('new-rule').value, size: Number($('new-size').value) };
  for (const id of ['new-opponent', 'new-other']) $(id).value = suited($(id).value, setup, chosen);
}

function dialogSides() {
  const side = $('new-side').value;
  for (const id of ['new-opponent', 'new-opponent-label', 'new-strength']) $(id).hidden = side === 'both';
  document.querySelector('label[for=new-strength]').hidden = side === 'both';
  for (const id of ['new-other', 'new-other-label']) $(id).hidden = side !== 'none';
  $('new-opponent-label').textContent = side === 'none' ? 'Black weights' : 'Opponent';
}

async function startGame(event) {
  event.preventDefault();
  const side = $('new-side').value;
  const strength = strengthOf($('new-strength').value, dialogEngine(), setup.maxLevel);
  const engine = (id) => ({ player: $(id).value, ...strength });
  const person = { player: '' };
  const seats = { black: [person, engine('new-opponent')], white: [engine('new-opponent'), person], both: [person, person], none: [engine('new-opponent'), engine('new-other')] }[side];
  try {
    await create({ size: Number($('new-size').value), rule: $('new-rule').value, moves: '', swap2: $('new-opening').value === 'swap2', seats });
    $('new-dialog').close();
    $('board').focus();
  } catch (error) {
    $('new-error').textContent = error.message;
  }
}

async function loadWeights(file) {
  try {
    const player = await upload('/api/weights', file);
    setup.uploads = [...setup.uploads.filter((p) => p.id !== player.id), player];
    fillPlayers($('analysis-weights'), setup, $('analysis-weights').value, { weightsOnly: true });
    activate(active);
    toast(`Weights “${player.label}” are loaded: choose them under Players or Analysis.`);
  } catch (error) {
    fail(error);
  }
}

// saveTree saves a game with its variations, which the program does not know, and a plain link therefore lacks.
async function saveTree(event) {
  const { view, tree } = current();
  if (!tree.branches()) return;
  event.preventDefault();
  try {
    const sgf = await text(`/api/games/${view.id}/record`, { format: 'sgf', tree: tree.kept() });
    const href = URL.createObjectURL(new Blob([sgf], { type: 'text/plain' }));
    el('a', { href, download: `quintune_${view.rule}.sgf` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  } catch (error) {
    fail(error);
  }
}

// importText opens the games of a text; the name of its file tells what the text alone does not.
async function importText(text, name) {
  const { view } = current();
  const first = await upload(`/api/import?size=${view.size}&rule=${view.rule}&file=${encodeURIComponent(name)}`, text);
  for (const read of [first, ...first.further]) {
    const game = adopt(read, { show: read === first, tree: read.tree });
    if (read.fouled) game.message = `The last move of the record, ${shown(read.fouled, read)}, is left out. It is forbidden to Black: ${read.forbidden[read.fouled]}.`;
  }
  const many = 1 + first.further.length;
  const left = first.left ? `; ${first.left} more of the file are left out` : '';
  toast(many > 1 ? `${many} games are read${left}.` : `${first.moves.length} moves are read${left}.`);
  draw();
}

const importRecord = (file) => importText(file, file.name).catch(fail);

function beginSetUp() {
  setUp.begin(current().view);
  draw();
  $('board').focus();
  $('board').scrollIntoView({ block: 'nearest' });
}

function endSetUp() {
  setUp.end();
  draw();
}

// startSetUp begins a game in the position that is set up.
async function startSetUp() {
  const { view } = current();
  try {
    const [black, white] = [setUp.cells(true).join(''), setUp.cells(false).join('')];
    const fresh = await post('/api/games', { size: view.size, rule: view.rule, black, white, seats: [{ player: '' }, { player: '' }] });
    setUp.end();
    adopt(fresh);
  } catch (error) {
    fail(error);
  }
}

function openPaste() {
  $('paste-text').value = '';
  $('paste-error').textContent = '';
  $('paste-dialog').showModal();
}

// openPasted opens a link to a position, or whatever can be imported.
async function openPasted(event) {
  event.preventDefault();
  const text = $('paste-text').value;
  const link = text.match(/#(size=\S*moves=[a-z0-9]*)/);
  try {
    if (link) await createNamed(new URLSearchParams(link[1]));
    else await importText(text, '');
    $('paste-dialog').close();
    $('board').focus();
  } catch (error) {
    $('paste-error').textContent = error.message;
  }
}

async function share() {
  const { view } = current();
  const link = `${location.origin}/#size=${view.size}&rule=${view.rule}&moves=${view.moves.slice(0, view.ply).join('')}`;
  $('link').value = link;
  $('link').hidden = false;
  try {
    await navigator.clipboard.writeText(link);
    toast('The link is copied.');
  } catch {
    $('link').select();
  }
}

// createNamed begins a game with the position that a link names.
const createNamed = (want) => create({ size: Number(want.get('size') || 15), rule: want.get('rule') || 'freestyle', moves: want.get('moves'), seats: [{ player: '' }, { player: '' }] });

// arrive opens what the address names: a position, which is analysed where it asks for that, a game of this window, or nothing.
async function arrive() {
  const want = new URLSearchParams(location.hash.slice(1));
  if (want.has('moves')) {
    if (want.has('analyse')) $('analysis-on').checked = true;
    await createNamed(want);
  } else if (games.has(want.get('game'))) {
    activate(want.get('game'));
  }
}

async function restore() {
  for (const kept of recall()) {
    try {
      adopt(await get(`/api/games/${encodeURIComponent(kept.id)}`), { show: false, paused: true, tree: kept.tree });
    } catch (error) {
      if (!forgotten(error) || !kept.moves) continue;
      try {
        adopt(await begunAnew(kept), { show: false, paused: true, tree: kept.tree }); // the program was started anew
      } catch { /* it refuses the game */ }
    }
  }
}

// --- listening

// ifShown returns a function that does what a key is for, while its button and the tools are there and may be pressed.
const ifShown = (id, go) => () => { if (!$('tools').hidden && !$(id).hidden && !$(id).disabled) go(); };

const keys = {
  u: ifShown('undo', undo), r: ifShown('redo', redo), h: ifShown('hint', hint), x: ifShown('swap', swap), n: openDialog, p: ifShown('run', run), m: ifShown('tools', toNextMistake),
  a: () => $('analysis-on').click(),
  '[': ifShown('tools', () => step(-1)), ']': ifShown('tools', () => step(1)),
  Home: ifShown('tools', () => goTo(0)), End: ifShown('tools', () => goTo(current().view.moves.length)),
};

function listen() {
  const clicks = {
    new: openDialog, undo, redo, hint, swap, run, evaluate, review, share, 'next-mistake': toNextMistake, promote, cut,
    setup: beginSetUp, 'setup-clear': () => { setUp.clear(); draw(); }, 'setup-cancel': endSetUp, 'setup-done': startSetUp,
    paste: openPaste, 'paste-cancel': () => $('paste-dialog').close(),
    first: () => goTo(0), back: () => step(-1), forth: () => step(1), last: () => goTo(current().view.moves.length),
    'take-black': () => choose('black'), 'take-white': () => choose('white'), 'take-two': () => choose('two'),
    solve: () => analysis.solve(current().view), 'new-cancel': () => $('new-dialog').close(),
  };
  for (const [id, go] of Object.entries(clicks)) $(id).addEventListener('click', go);
  for (const id of ['black-player', 'white-player', 'black-strength', 'white-strength']) $(id).addEventListener('change', seatsChanged);
  $('analysis-weights').addEventListener('change', () => { current().weights = $('analysis-weights').value; });
  for (const id of ['analysis-on', 'analysis-weights', 'analysis-lines', 'analysis-time']) {
    $(id).addEventListener('change', () => { analysis.follow(current().view, true); draw(); });
  }
  for (const id of ['heat', 'numbers', 'renju-notation', 'twice']) {
    $(id).addEventListener('change', () => { analysis.draw(current().view); explorer.draw(); draw(); });
  }
  $('save-sgf').addEventListener('click', saveTree);
  onFile('weights-file', loadWeights);
  onFile('record-file', importRecord);
  $('curve').addEventListener('click', (event) => goTo(plyAt($('curve'), event, current().view.moves.length)));
  $('new-side').addEventListener('change', dialogSides);
  for (const id of ['new-rule', 'new-size']) $(id).addEventListener('change', dialogBoard);
  $('new-opponent').addEventListener('change', () => fillStrengths($('new-strength'), setup, $('new-strength').value, playerOf(setup, $('new-opponent').value).weights));
  $('new-form').addEventListener('submit', startGame);
  $('paste-form').addEventListener('submit', openPasted);
  onKeys(keys);
  addEventListener('hashchange', () => arrive().catch(fail));
}

async function begin() {
  setup = await get('/api/setup');
  fillPlayers($('analysis-weights'), setup, setup.default, { weightsOnly: true });
  await restore();
  await arrive();
  if (!active && games.size) activate([...games.keys()].at(-1));
  if (!active) await create(firstGame());
  listen();
  document.body.dataset.ready = 'true';
}

begin().catch((error) => {
  toast(`The page could not begin: ${error.message}`);
});
