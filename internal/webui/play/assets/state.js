// The state of the page: its games, which of them is shown, and what is kept of them.

import { Setup } from './setup.js';

const stored = 'quintune.games';

// games are {view, tree, nodes, number, paused, thinking, reviewing, left, shutting, heading, hint, instead, message, review, weights}
// by id; nodes are those of the line, weights what was chosen to analyse.
export const games = new Map();

export const page = {
  active: null, // the id of the game that is shown
  setup: null, // what the program offers
  draw: null, // draws all of it anew, after each change of a game
};

export const setUp = new Setup();

export const current = () => games.get(page.active);
export const nodeOf = (game) => game.nodes[game.view.ply];
export const colours = ['black', 'white'];
export const ongoing = (view) => view.outcome === 'ongoing';
export const isEngine = (seat) => Boolean(seat.player || seat.name);
export const anyEngine = (view) => view.seats.some(isEngine);
export const bodyOf = (seat) => ({ player: seat.player, level: seat.level, nodes: seat.nodes, time: seat.time });

// see takes a state of a game; the tree grows by its line, and knows what was thought of positions of other lines.
export function see(game, view) {
  game.view = view;
  game.nodes = game.tree.follow(view.moves);
  game.nodes.forEach((node, i) => {
    node.judged = view.judged[i] || node.judged;
    view.judged[i] = node.judged;
  });
}

// remember keeps what a game can be gone on with, should the program be started anew.
export function remember() {
  const kept = [...games.values()].map(({ view, tree }) => ({
    id: view.id, tree: tree.kept(), size: view.size, rule: view.rule, moves: view.moves, ply: view.ply, opening: view.opening, names: view.names, seats: view.seats.map(bodyOf),
  }));
  try {
    sessionStorage.setItem(stored, JSON.stringify(kept));
  } catch { /* a browser that keeps nothing, or has no room: the games last as long as the page */ }
}

// recall returns what was kept of games, nothing where the browser keeps nothing.
export function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(stored) || '[]');
  } catch {
    return [];
  }
}
