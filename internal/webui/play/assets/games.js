// The games: begun, shown and shut, and what the program answers about them.

import { get, post, Refused, remove } from './api.js';
import { $, toast } from './dom.js';
import { announce, fail } from './messages.js';
import { fillPlayers, fillStrengths, keyOf, playerOf, suited } from './players.js';
import { bodyOf, colours, current, games, isEngine, ongoing, page, recall, remember, see, setUp } from './state.js';
import { Node } from './tree.js';

let numbered = 0;

export const firstGame = () => ({ size: 15, rule: 'freestyle', moves: '', seats: [{ player: '' }, { player: page.setup.default, ...page.setup.strength }] });

export async function create(body) {
  return adopt(await post('/api/games', body));
}

export function adopt(view, options = {}) {
  const tree = options.tree ? Node.from(options.tree) : new Node();
  const game = { tree, number: ++numbered, paused: Boolean(options.paused), thinking: null, hint: null, message: '' };
  see(game, view);
  games.set(view.id, game);
  remember();
  if (options.show !== false) activate(view.id);
  return game;
}

const forgotten = (error) => error instanceof Refused && error.status === 404;

// begunAnew returns a new game with the moves of one that the program has forgotten.
async function begunAnew(view) {
  const known = (seat) => (!seat.player || playerOf(page.setup, seat.player) ? bodyOf(seat) : { ...bodyOf(seat), player: page.setup.default });
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
  if (page.active === old) {
    page.active = game.view.id;
    history.replaceState(null, '', `#game=${page.active}`);
  }
  remember();
  toast('The program was started anew: the game goes on with the moves that stand here.');
}

export async function restore() {
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

export function activate(id) {
  page.active = id;
  setUp.end();
  history.replaceState(null, '', `#game=${id}`);
  const { view } = current();
  for (const [i, colour] of colours.entries()) {
    fillPlayers($(`${colour}-player`), page.setup, view.seats[i].player, { person: true });
    fillSeatStrength(colour, view.seats[i]);
  }
  $('analysis-weights').value = current().weights ?? suited($('analysis-weights').value, page.setup, view);
  page.draw();
  drive(current());
}

export const shownStrength = (seat) => (isEngine(seat) && (seat.level || seat.nodes || seat.time) ? seat : page.setup.strength);

function fillSeatStrength(colour, seat) {
  const player = playerOf(page.setup, seat.player);
  const select = $(`${colour}-strength`);
  fillStrengths(select, page.setup, keyOf(shownStrength(seat), page.setup.maxLevel), !player || player.weights);
  select.disabled = !seat.player;
}

// shut closes a game. The last one gives way to a new one, and stays where none can begin.
export async function shut(id) {
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
  if (id === page.active) activate([...games.keys()].at(-1));
  else page.draw();
}

// update takes a new state of a game; what was known of another position is not shown any more.
function update(game, view) {
  see(game, view);
  game.hint = null;
  remember();
  page.draw();
  drive(game);
}

export async function refresh(id) {
  const game = games.get(id);
  if (!game) return;
  try {
    see(game, await get(`/api/games/${id}`));
    page.draw();
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
export async function act(game, path, body, options = {}) {
  game.thinking?.abort();
  game.thinking = null;
  if (options.paused !== undefined) game.paused = options.paused;
  game.message = '';
  try {
    update(game, await asked(game, path, body));
  } catch (error) {
    game.message = error.message;
    page.draw();
    if (error instanceof Refused && error.status === 409) await refresh(game.view.id);
    drive(game);
  }
}

// drive lets the engine think where it is its turn.
export async function drive(game) {
  const { view } = game;
  if (!ongoing(view) || !isEngine(view.mover) || game.paused || game.thinking || !games.has(view.id)) return;
  const control = new AbortController();
  game.thinking = control;
  if (view.id === page.active) page.draw();
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
  page.draw();
  if (retry) setTimeout(() => drive(game), 1000);
}
