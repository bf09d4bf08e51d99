// What people do with the game that is shown: moves, steps, variations, seats.

import { Board } from './board.js';
import { $ } from './dom.js';
import { act, activate, drive, shownStrength } from './games.js';
import { shown, speak } from './messages.js';
import { fillStrengths, keyOf, playerOf, strengthOf } from './players.js';
import { anyEngine, colours, current, isEngine, nodeOf, ongoing, page, remember, setUp } from './state.js';

export const board = new Board($('board'), play, speak);

export function play(name) {
  const game = current();
  const { view } = game;
  if (setUp.on) {
    setUp.put(name);
    page.draw();
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
  page.draw();
}

// choose takes an option of an opening under swap2.
export const choose = (option) => act(current(), 'choose', { option, ply: current().view.ply }, { paused: false });

// move takes moves back or puts them again. Engines that play each other and are held stay so, else they would move at once.
const move = (way) => act(current(), 'go', { way }, { paused: current().paused && current().view.seats.every(isEngine) });

export const undo = () => move('undo');
export const redo = () => move('redo');

export async function goTo(ply) {
  const game = current();
  const target = Math.max(0, Math.min(ply, game.view.moves.length));
  if (target !== game.view.ply && !game.view.opening) await act(game, 'go', { ply: target }, { paused: anyEngine(game.view) });
}

// step goes some moves on. Steps that are asked for while one is under way add up.
export async function step(by) {
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
export function goToNode(node) {
  const game = current();
  if (node === game.nodes[node.ply]) goTo(node.ply);
  else if (!game.view.opening) act(game, 'line', { moves: node.line().join(''), ply: node.ply }, { paused: anyEngine(game.view) });
}

// promote makes the variation on the board the main line.
export function promote() {
  nodeOf(current()).promote();
  remember();
  page.draw();
}

// cut deletes the last move on the board with all that follows it.
export async function cut() {
  const game = current();
  const node = nodeOf(game);
  const { parent } = node;
  if (!parent || game.view.opening) return;
  const other = parent.children.find((child) => child !== node);
  await act(game, 'line', { moves: (other ? other.line() : parent.path()).join(''), ply: parent.ply }, { paused: anyEngine(game.view) });
  if (nodeOf(game) !== parent) return;
  node.remove();
  remember();
  page.draw();
}

export async function swap() {
  const game = current();
  await act(game, 'seats', { swap: true }, { paused: false });
  activate(game.view.id);
}

export async function seatsChanged() {
  const game = current();
  const seats = colours.map((colour, i) => {
    const player = $(`${colour}-player`).value;
    if (!player) return { player: '', level: 0, nodes: 0, time: 0 };
    const known = playerOf(page.setup, player);
    const before = shownStrength(game.view.seats[i]);
    const key = fillStrengths($(`${colour}-strength`), page.setup, $(`${colour}-strength`).value || keyOf(before, page.setup.maxLevel), known.weights);
    return { player, ...strengthOf(key, before, page.setup.maxLevel) };
  });
  await act(game, 'seats', { seats });
  activate(game.view.id);
}

export function run() {
  const game = current();
  game.paused = !game.paused;
  if (game.paused) {
    game.thinking?.abort();
    game.thinking = null;
  }
  page.draw();
  drive(game);
}
