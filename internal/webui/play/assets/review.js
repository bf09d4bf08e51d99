// The review of a game: what was found about its moves.

import { chips } from './analysis.js';
import { $, el } from './dom.js';

export const marks = { inaccuracy: '?!', mistake: '?', blunder: '??' };

// nextMistake returns the next node of a line whose move is marked, around at the end; null where none is.
export function nextMistake(nodes, ply) {
  const marked = nodes.filter((node) => node.note?.verdict);
  return marked.find((node) => node.ply > ply) || marked[0] || null;
}

function sideText(colour, side) {
  if (side.accuracy === null) return '';
  const many = (n, word, plural) => (n ? `${n} ${n === 1 ? word : plural}` : '');
  const faults = [many(side.blunders, 'blunder', 'blunders'), many(side.mistakes, 'mistake', 'mistakes'),
    many(side.inaccuracies, 'inaccuracy', 'inaccuracies'), many(side.missed, 'missed win', 'missed wins')].filter(Boolean);
  return `${colour}: accuracy ${Math.round(side.accuracy)} %, ${faults.join(', ') || 'no mistakes'}.`;
}

// drawReview tells how both sides moved, and what the last move on the board, the node's, should have been. show gets a line in
// the place of that move, null for none; name returns a cell as the board's labels have it.
export function drawReview(review, nodes, node, name, show) {
  $('review-box').hidden = !review;
  if (!review) return;
  $('review-sides').textContent = `${['Black', 'White'].map((c, i) => sideText(c, review.sides[i])).filter(Boolean).join(' ')}${review.instead ? ` ${review.instead}.` : ''}`;
  $('next-mistake').disabled = !nextMistake(nodes, node.ply);
  const box = $('review-note');
  const { note } = node;
  const notation = name('a1');
  if (box.about === note && box.notation === notation) return;
  box.about = note;
  box.notation = notation;
  box.replaceChildren();
  if (!note?.verdict) return;
  const row = (text, line) => box.append(el('p', {}, text), chips(line, node.ply % 2 === 1, name, show));
  const article = note.verdict === 'inaccuracy' ? 'an' : 'a';
  box.append(el('strong', {}, `${node.ply}. ${name(node.move)} is ${article} ${note.verdict}: ${Math.round(100 * note.loss)} % of the chances lost (${note.score}).`));
  row(`Better is ${name(note.best)} (${note.better}):`, note.line);
  if (note.missed && note.missed.join() !== note.line.join()) row('A win by continuous fours was missed:', note.missed);
}
