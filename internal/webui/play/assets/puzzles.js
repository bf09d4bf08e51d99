// The page of puzzles: positions with one winning move. The page knows the solutions; the score stays in the browser.

import { get, upload } from './api.js';
import { chips } from './analysis.js';
import { Board } from './board.js';
import { $, capital, el, onFile, onKeys, toast } from './dom.js';

const stored = 'quintune.puzzles'; // by id: how the puzzle ended
const ends = { solved: 'Solved at first sight', helped: 'Solved with help', shown: 'Solution shown' };
const solvers = { vcf: 'continuous fours', vct: 'continuous threats' };

let puzzles = [];
let chosen = []; // those of the rule and level that are asked for
let at = 0; // of chosen
let state = {}; // of the puzzle on the board: {tries, hints, done, message, preview}
const score = recall();

const board = new Board($('board'), play, speak);
const current = () => chosen[at];

// recall returns the score that is kept, an empty one where what is kept is not one.
function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(stored) || '{}');
    return new Map(Object.entries(kept).filter(([, end]) => Object.hasOwn(ends, end)));
  } catch {
    return new Map();
  }
}

function keep() {
  try {
    localStorage.setItem(stored, JSON.stringify(Object.fromEntries(score)));
  } catch { /* a browser that keeps nothing: the score lasts as long as the page */ }
}

const movesOf = (text) => text.match(/[a-z][0-9]+/g) || [];

function speak(name) {
  const moves = movesOf(current().moves);
  const index = moves.indexOf(name);
  const stone = index % 2 ? 'white stone' : 'black stone';
  $('speech').textContent = `${name}, ${index >= 0 ? stone : name in current().forbidden ? 'empty, forbidden to Black' : 'empty'}`;
}

// end notes how the puzzle ended; the first time counts.
function end(how) {
  state.done = true;
  state.preview = current().solution;
  const { id } = current();
  if (!score.has(id)) {
    score.set(id, how);
    keep();
  }
}

function play(name) {
  const puzzle = current();
  if (state.done) {
    state.message = 'This one is done: go on with Next.';
  } else if (movesOf(puzzle.moves).includes(name)) {
    state.message = `${name} is occupied.`;
  } else if (puzzle.turn === 'black' && name in puzzle.forbidden) {
    state.message = `${name} is forbidden to Black: ${puzzle.forbidden[name]}.`;
  } else if (name !== puzzle.best) {
    state.tries++;
    state.message = `${name} does not win: there is an answer to it. Try again.`;
  } else {
    end(state.tries || state.hints ? 'helped' : 'solved');
    state.message = `Right: ${name} wins in ${puzzle.plies} plies.`;
  }
  draw();
}

function hint() {
  const puzzle = current();
  if (state.done) return;
  state.hints = Math.min(state.hints + 1, 2);
  state.message = state.hints === 1 ? `It wins by ${solvers[puzzle.kind]}. The first move is in column ${puzzle.best[0]}.` : `The first move is ${puzzle.best}.`;
  if (state.hints === 2) board.cursor = puzzle.best;
  draw();
}

function show() {
  if (state.done) return;
  end('shown');
  state.message = `The winning move is ${current().best}.`;
  draw();
}

// go shows the puzzle with the index among the chosen ones, around at both ends.
function go(index) {
  at = (index + chosen.length) % chosen.length;
  state = { tries: 0, hints: 0, done: false, message: '', preview: [] };
  history.replaceState(null, '', `#${current().id}`);
  draw();
}

// wanted returns the puzzles of the rule and level that are asked for.
function wanted() {
  const [rule, level] = [$('of-rule').value, Number($('of-level').value)];
  return puzzles.filter((p) => (!rule || p.rule === rule) && (!level || p.level === level));
}

const isOpen = (p) => !score.has(p.id);

// choose keeps the puzzles that are asked for, and shows the one with the id, or the first.
function choose(id) {
  const all = wanted();
  chosen = $('of-state').value === 'open' ? all.filter(isOpen) : all;
  if (!chosen.length) chosen = all.length ? all : puzzles;
  go(Math.max(0, chosen.findIndex((p) => p.id === id)));
}

function draw() {
  const puzzle = current();
  const moves = movesOf(puzzle.moves);
  const stones = moves.map((cell, i) => ({ cell, black: i % 2 === 0 }));
  const side = capital(puzzle.turn);
  board.render({
    size: puzzle.size, stones, last: moves.at(-1), row: [], forbidden: state.preview.length ? {} : puzzle.forbidden, turn: puzzle.turn,
    playable: !state.done, hint: state.hints > 1 && !state.done ? puzzle.best : null, preview: state.preview,
  });
  $('board').setAttribute('aria-label', `Board, ${puzzle.size} by ${puzzle.size}, ${puzzle.rule}, ${moves.length} stones, ${puzzle.turn} to move and win`);
  $('turn-stone').className = `stone ${puzzle.turn}`;
  $('task').textContent = `${side} moves and wins`;
  $('rule').textContent = `${capital(puzzle.rule)} ${puzzle.size} × ${puzzle.size}`;
  const text = state.message || `${side} to move: one move wins. Find it.`;
  if ($('status').textContent !== text) $('status').textContent = text;
  $('hint').disabled = $('show').disabled = state.done;
  const before = score.has(puzzle.id) && !state.done ? ` ${ends[score.get(puzzle.id)]} before.` : '';
  $('about').textContent = `Puzzle ${at + 1} of ${chosen.length}, level ${puzzle.level} of 5, ${puzzle.plies} plies.${before}`;
  $('analyse').href = `/#size=${puzzle.size}&rule=${puzzle.rule}&moves=${puzzle.moves}&analyse`;
  drawSolution(puzzle);
  drawScore();
}

function drawSolution(puzzle) {
  $('solution').hidden = !state.done;
  if (!state.done || $('solution').dataset.of === puzzle.id) return;
  $('solution').dataset.of = puzzle.id;
  const row = chips(puzzle.solution, puzzle.turn === 'black', (move) => move, (line) => {
    state.preview = line || puzzle.solution;
    draw();
  });
  $('solution').replaceChildren(el('strong', {}, `Wins in ${puzzle.plies} plies by ${solvers[puzzle.kind]}`), row);
}

function drawScore() {
  const all = wanted();
  $('matching').textContent = `${all.length} of this kind, ${all.filter(isOpen).length} not solved yet.`;
  const count = (end) => puzzles.filter((p) => score.get(p.id) === end).length;
  const rows = Object.entries(ends).map(([end, text]) => [text, count(end)]);
  rows.push(['Not solved yet', puzzles.filter(isOpen).length]);
  $('score').replaceChildren(...rows.flatMap(([text, n]) => [el('dt', {}, text), el('dd', {}, String(n))]));
}

// take shows a set of puzzles and offers its rules and levels.
function take(list, id) {
  puzzles = list;
  const option = (value, text) => el('option', { value }, text);
  const distinct = (key) => [...new Set(puzzles.map((p) => p[key]))].sort();
  $('of-rule').replaceChildren(option('', 'all'), ...distinct('rule').map((rule) => option(rule, capital(rule))));
  $('of-level').replaceChildren(option('0', 'all'), ...distinct('level').map((level) => option(String(level), `${level} of 5`)));
  const named = puzzles.some((p) => p.id === id);
  $('of-state').value = named ? 'all' : 'open';
  choose(id);
}

async function ownSet() {
  $('own').hidden = true;
  take((await get('/api/puzzles')).puzzles, location.hash.slice(1));
}

async function openFile(file) {
  try {
    const { puzzles: list } = await upload('/api/puzzles', file);
    $('own').hidden = false;
    take(list);
    toast(`${list.length} puzzles are read from ${file.name}.`);
  } catch (error) {
    toast(error.message);
  }
}

function reset() {
  score.clear();
  keep();
  choose(current().id);
}

function listen() {
  const next = () => go(at + 1);
  const previous = () => go(at - 1);
  for (const [id, act] of Object.entries({ hint, show, next, previous, reset, own: () => ownSet().catch((error) => toast(error.message)) })) $(id).addEventListener('click', act);
  for (const id of ['of-rule', 'of-level', 'of-state']) $(id).addEventListener('change', () => choose());
  onFile('puzzles-file', openFile);
  onKeys({ h: hint, s: show, n: next, ']': next, '[': previous });
  addEventListener('hashchange', () => { // to a puzzle, not to a place of the page such as #board
    const id = location.hash.slice(1);
    if (puzzles.some((p) => p.id === id)) take(puzzles, id);
  });
}

async function begin() {
  await ownSet();
  listen();
  document.body.dataset.ready = 'true';
}

begin().catch((error) => toast(`The page could not begin: ${error.message}`));
