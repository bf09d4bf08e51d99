// A board that shows a game up to a move. Columns are lettered from the left, rows numbered from the top.

import { element } from './chart.js';

const letter = x => String.fromCharCode(97 + x);

// parse reads moves such as h8i9, at most a letter and two digits each.
export function parse(moves) {
  return [...moves.matchAll(/([a-z])(\d{1,2})/g)].map(m => ({ x: m[1].charCodeAt(0) - 97, y: Number(m[2]) - 1, name: m[0] }));
}

function grid(size) {
  const parts = [];
  for (let i = 0; i < size; i++) {
    parts.push(element('line', { class: 'rule', x1: 0, x2: size - 1, y1: i, y2: i }));
    parts.push(element('line', { class: 'rule', x1: i, x2: i, y1: 0, y2: size - 1 }));
    parts.push(element('text', { class: 'names', x: i, y: -.72 }, letter(i)));
    parts.push(element('text', { class: 'names', x: -.95, y: i + .15 }, i + 1));
  }
  const middle = (size - 1) / 2;
  if (size % 2 === 1) parts.push(element('circle', { class: 'star', cx: middle, cy: middle, r: .11 }));
  if (size >= 13) for (const x of [3, size - 4]) for (const y of [3, size - 4]) parts.push(element('circle', { class: 'star', cx: x, cy: y, r: .11 }));
  return parts;
}

// show draws the first plies of the moves; numbered ones when a game is replayed.
export function show(svg, size, moves, plies, numbered) {
  svg.setAttribute('viewBox', `-1.5 -1.5 ${size + 1.6} ${size + 1.6}`);
  const parts = grid(size);
  for (const [i, m] of moves.slice(0, plies).entries()) {
    const colour = i % 2 === 0 ? 'black' : 'white';
    parts.push(element('circle', { class: `stone ${colour}`, cx: m.x, cy: m.y, r: .44 }));
    if (numbered) parts.push(element('text', { class: `number on-${colour}`, x: m.x, y: m.y + .14 }, i + 1));
  }
  const last = moves[plies - 1];
  if (last) parts.push(element('circle', { class: 'last', cx: last.x, cy: last.y, r: .47 }));
  svg.replaceChildren(...parts);
  svg.setAttribute('aria-label', last ? `board after ${plies} moves, the last is ${last.name}` : 'empty board');
}
