// The review of a game: what was found about its moves.

import { chips } from './analysis.js';
import { $, el } from './dom.js';

export const marks = { inaccuracy: '?!', mistake: '?', blunder: '??' };

// noteOf returns what a review found about the move with the number, from 1; null where the game has gone another way.
export function noteOf(review, moves, number) {
  if (!review || number < 1 || number > review.moves.length) return null;
  for (let i = 0; i < number; i++) {
    if (moves[i] !== review.moves[i]) return null;
  }
  return review.notes[number - 1];
}

// nextMistake returns the number of the next marked move after a ply, around at the end; 0 where none is marked.
export function nextMistake(review, moves, ply) {
  const marked = moves.map((_, i) => i + 1).filter((n) => noteOf(review, moves, n)?.verdict);
  return marked.find((n) => n > ply) || marked[0] || 0;
}

function sideText(colour, side) {
  if (side.accuracy === null) return '';
  const many = (n, word, plural) => (n ? `${n} ${n === 1 ? word : plural}` : '');
  const faults = [many(side.blunders, 'blunder', 'blunders'), many(side.mistakes, 'mistake', 'mistakes'),
    many(side.inaccuracies, 'inaccuracy', 'inaccuracies'), many(side.missed, 'missed win', 'missed wins')].filter(Boolean);
  return `${colour}: accuracy ${Math.round(side.accuracy)} %, ${faults.join(', ') || 'no mistakes'}.`;
}

// drawReview tells how both sides moved, and what the last move on the board should have been. show gets a line in the
// place of that move, null for none; name returns a cell as the board's labels have it.
export function drawReview(review, view, name, show) {
  $('review-box').hidden = !review;
  if (!review) return;
  $('review-sides').textContent = `${['Black', 'White'].map((c, i) => sideText(c, review.sides[i])).filter(Boolean).join(' ')}${review.instead ? ` ${review.instead}.` : ''}`;
  $('next-mistake').disabled = !nextMistake(review, view.moves, view.ply);
  const box = $('review-note');
  const about = `${view.id} ${view.ply} ${view.moves.slice(0, view.ply).join('')}`;
  if (box.dataset.about === about) return;
  box.dataset.about = about;
  const note = noteOf(review, view.moves, view.ply);
  box.replaceChildren();
  if (!note?.verdict) return;
  const black = view.ply % 2 === 1;
  const row = (text, line) => box.append(el('p', {}, text), chips(line, black, name, show));
  box.append(el('strong', {}, `${view.ply}. ${name(view.moves[view.ply - 1])} is ${note.verdict === 'inaccuracy' ? 'an' : 'a'} ${note.verdict}: ${Math.round(100 * note.loss)} % of the chances lost (${note.score}).`));
  row(`Better is ${name(note.best)} (${note.better}):`, note.line);
  if (note.missed && note.missed.join() !== note.line.join()) row('A win by continuous fours was missed:', note.missed);
}
