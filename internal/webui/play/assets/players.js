// Who plays, and how strong: the selects and what they stand for.

import { el } from './dom.js';

const times = [300, 1000, 3000, 10000, 30000];
const nodes = [1000, 10000, 100000, 1000000];

// timeText returns milliseconds for people.
const timeText = (ms) => (ms < 1000 ? `${ms} ms` : ms % 60000 ? `${ms / 1000} s` : `${ms / 60000} min`);

// keyOf returns the value of the select that stands for a strength.
export function keyOf({ level, nodes: n, time }, maxLevel) {
  if (level > 0 && level < maxLevel) return `level:${level}`;
  if (n > 0) return `nodes:${n}`;
  return `time:${time || 1000}`;
}

// strengthOf returns what a value of the select stands for: the strength from before with all of its limits, where it is that.
export function strengthOf(key, before, maxLevel) {
  if (key === keyOf(before, maxLevel)) return { level: before.level, nodes: before.nodes, time: before.time };
  const [kind, text] = key.split(':');
  const strength = { level: 0, nodes: 0, time: 0 };
  strength[kind] = Number(text);
  return strength;
}

function textOf(key) {
  const [kind, text] = key.split(':');
  if (kind === 'level') return `Level ${text}`;
  return kind === 'time' ? `${timeText(Number(text))} a move` : `${Number(text).toLocaleString('en')} nodes`;
}

// fillStrengths offers strengths; levels only where the player has them.
export function fillStrengths(select, setup, key, levels) {
  const group = (label, keys) => el('optgroup', { label }, ...keys.map((k) => el('option', { value: k }, textOf(k))));
  const groups = [];
  const list = (kind, values, own) => {
    const keys = values.map((v) => `${kind}:${v}`);
    if (own.startsWith(`${kind}:`) && !keys.includes(own)) keys.push(own);
    return keys;
  };
  if (!levels && key.startsWith('level:')) key = 'time:1000';
  if (levels) groups.push(group('Level', list('level', Array.from({ length: setup.maxLevel - 1 }, (_, i) => i + 1), key)));
  groups.push(group('Time a move, full strength', list('time', times, key)), group('Nodes a move', list('nodes', nodes, key)));
  select.replaceChildren(...groups);
  select.value = key;
  return key;
}

// fillPlayers offers the roster, with a person first where that is asked for.
export function fillPlayers(select, setup, chosen, options = {}) {
  const option = (p) => el('option', { value: p.id }, p.label);
  const fits = (p) => !options.weightsOnly || p.weights;
  const children = [];
  if (options.person) children.push(el('option', { value: '' }, 'A person'));
  const uploads = setup.uploads.filter(fits);
  if (uploads.length) children.push(el('optgroup', { label: 'Loaded weights' }, ...uploads.map(option)));
  const own = setup.players.filter((p) => p.weights);
  const baselines = setup.players.filter((p) => !p.weights);
  children.push(el('optgroup', { label: 'Weights' }, ...own.map(option)));
  if (!options.weightsOnly && baselines.length) children.push(el('optgroup', { label: 'Systems of the literature' }, ...baselines.map(option)));
  select.replaceChildren(...children);
  select.value = chosen;
  if (select.selectedIndex < 0) select.value = options.person ? '' : setup.default;
}

export const playerOf = (setup, id) => [...setup.players, ...setup.uploads].find((p) => p.id === id);

// suited returns the player for a board in the place of another one: the embedded set of a board gives way to that of this board, unless
// the program was started with it.
export function suited(id, setup, { rule, size }) {
  const evolved = (r, s) => setup.evolved[r][s - setup.minSize];
  const named = id === setup.default && id !== evolved('freestyle', 15); // 15 and freestyle: the set that plays where none is named
  return named || !Object.values(setup.evolved).flat().includes(id) ? id : evolved(rule, size);
}
