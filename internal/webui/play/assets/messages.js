// What the page says: errors, what is on a cell, whose move it is, how a game ended.

import { $, capital, toast } from './dom.js';
import { colours, current, isEngine, ongoing } from './state.js';

export function fail(error) {
  if (error.name !== 'AbortError') toast(error.message);
}

export function speak(name) {
  const view = current().view;
  const at = view.moves.slice(0, view.ply).indexOf(name);
  const what = at >= 0 ? `${colours[at % 2]} stone, move ${at + 1}` : name in view.forbidden ? `empty, forbidden to Black: ${view.forbidden[name]}` : 'empty';
  $('speech').textContent = `${shown(name)}, ${what}`;
}

// announce tells the engine's move to those who do not see it.
export function announce(game) {
  const { view } = game;
  if (!view.ply) return;
  const mover = colours[(view.ply - 1) % 2];
  $('speech').textContent = `${capital(mover)} plays ${shown(view.moves[view.ply - 1])}. ${statusOf(game)}`;
}

// shown returns a cell as the labels of the board have it.
export function shown(name, { size } = current().view) {
  return $('renju-notation').checked ? name[0] + (size + 1 - Number(name.slice(1))) : name;
}

export function nameOf(view, i) {
  const seat = view.seats[i];
  if (isEngine(seat)) return seat.name;
  if (view.names[i] && view.names[i] !== 'human') return view.names[i];
  return isEngine(view.seats[1 - i]) ? 'You' : capital(colours[i]);
}

const turnOf = (view) => colours.indexOf(view.turn);

export function statusOf(game) {
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
