// The course of the game: Black's chances after each move.

import { svg } from './dom.js';

const width = 400;
const height = 110;
const left = 8;
const right = 392;

// drawCurve draws judged, [moves played] with {chances} or null, and the present ply.
export function drawCurve(root, judged, ply, moves) {
  root.setAttribute('viewBox', `0 0 ${width} ${height}`);
  root.setAttribute('preserveAspectRatio', 'none');
  const last = Math.max(judged.length - 1, 1);
  const x = (i) => left + (right - left) * i / last;
  const y = (chances) => 6 + (height - 12) * (1 - chances);
  const known = judged.map((j, i) => j && [x(i), y(j.chances)]).filter(Boolean);
  root.replaceChildren(svg('line', { class: 'middle', x1: left, x2: right, y1: y(0.5), y2: y(0.5) }));
  if (known.length) {
    const trace = known.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join('L');
    root.append(svg('path', { class: 'area', d: `M${known[0][0].toFixed(1)} ${y(0.5)}L${trace}L${known.at(-1)[0].toFixed(1)} ${y(0.5)}Z` }));
    root.append(svg('path', { class: 'trace', d: `M${trace}`, 'vector-effect': 'non-scaling-stroke' }));
    if (known.length === 1) root.append(svg('circle', { class: 'dot', cx: known[0][0], cy: known[0][1], r: 3.5 }));
  }
  root.append(svg('line', { class: 'now', x1: x(ply), x2: x(ply), y1: 2, y2: height - 2, 'vector-effect': 'non-scaling-stroke' }));
  const now = judged[ply];
  root.setAttribute('aria-label', `Evaluation curve, ${known.length} of ${judged.length} positions of ${moves} moves known; ` +
    (now ? `Black's chances now ${Math.round(100 * now.chances)} per cent` : 'nothing known of this position'));
}

// plyAt returns the ply at a pointer.
export function plyAt(root, event, plies) {
  const box = root.getBoundingClientRect();
  const share = ((event.clientX - box.left) / box.width * width - left) / (right - left);
  return Math.max(0, Math.min(plies, Math.round(share * Math.max(plies, 1))));
}
