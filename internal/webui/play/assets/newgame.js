// New games: the dialog, and positions that are set up.

import { post } from './api.js';
import { $, capital, el } from './dom.js';
import { adopt, create } from './games.js';
import { fail } from './messages.js';
import { fillPlayers, fillStrengths, keyOf, strengthOf, suited } from './players.js';
import { current, page, setUp } from './state.js';

// dialogEngine returns the engine that the dialog offers first.
const dialogEngine = () => current().view.seats.find((s) => s.player) || { player: suited(page.setup.default, page.setup, current().view), ...page.setup.strength };

export function openDialog() {
  const { view } = current();
  $('new-rule').replaceChildren(...page.setup.rules.map((r) => el('option', { value: r }, capital(r))));
  $('new-rule').value = view.rule;
  const sizes = Array.from({ length: page.setup.maxSize - page.setup.minSize + 1 }, (_, i) => page.setup.minSize + i);
  $('new-size').replaceChildren(...sizes.map((s) => el('option', { value: String(s) }, `${s} × ${s}`)));
  $('new-size').value = String(view.size);
  const engine = dialogEngine();
  fillPlayers($('new-opponent'), page.setup, engine.player);
  fillPlayers($('new-other'), page.setup, engine.player);
  fillStrengths($('new-strength'), page.setup, keyOf(engine, page.setup.maxLevel), true);
  $('new-error').textContent = '';
  dialogSides();
  $('new-dialog').showModal();
}

// dialogBoard offers the weights of the board that is chosen now.
export function dialogBoard() {
  const chosen = { rule: $('new-rule').value, size: Number($('new-size').value) };
  for (const id of ['new-opponent', 'new-other']) $(id).value = suited($(id).value, page.setup, chosen);
}

export function dialogSides() {
  const side = $('new-side').value;
  for (const id of ['new-opponent', 'new-opponent-label', 'new-strength']) $(id).hidden = side === 'both';
  document.querySelector('label[for=new-strength]').hidden = side === 'both';
  for (const id of ['new-other', 'new-other-label']) $(id).hidden = side !== 'none';
  $('new-opponent-label').textContent = side === 'none' ? 'Black weights' : 'Opponent';
}

export async function startGame(event) {
  event.preventDefault();
  const side = $('new-side').value;
  const strength = strengthOf($('new-strength').value, dialogEngine(), page.setup.maxLevel);
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

export function beginSetUp() {
  setUp.begin(current().view);
  page.draw();
  $('board').focus();
  $('board').scrollIntoView({ block: 'nearest' });
}

export function endSetUp() {
  setUp.end();
  page.draw();
}

// startSetUp begins a game in the position that is set up.
export async function startSetUp() {
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
