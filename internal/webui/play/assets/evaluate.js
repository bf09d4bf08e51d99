// What an engine is asked about the game that is shown: a hint, the value of each position, a review.

import { lines } from './api.js';
import { positionOf } from './analysis.js';
import { board, goToNode } from './controls.js';
import { $ } from './dom.js';
import { refresh } from './games.js';
import { fail, shown } from './messages.js';
import { nextMistake } from './review.js';
import { current, ongoing, page } from './state.js';

export async function hint() {
  const game = current();
  const { view } = game;
  if (!ongoing(view)) return;
  game.message = 'Looking for a hint…';
  page.draw();
  try {
    let best = null;
    let reason = ''; // why other weights than the chosen ones give it
    await lines(`/api/games/${view.id}/analyze`, { ply: view.ply, weights: $('analysis-weights').value, lines: 1, time: 1000 }, undefined, (step) => {
      best = step.lines?.[0] ?? best;
      if (step.instead) reason = ` (${step.instead})`;
    });
    if (positionOf(game.view) !== positionOf(view)) return;
    await refresh(view.id);
    game.hint = best.move;
    game.message = `Hint: ${shown(best.move, view)}${reason}`;
    if (game === current()) board.cursor = best.move;
  } catch (error) {
    game.message = error.message;
  }
  page.draw();
}

export async function evaluate() {
  const game = current();
  $('evaluate').disabled = true;
  try {
    await lines(`/api/games/${game.view.id}/curve`, { weights: $('analysis-weights').value }, undefined, ({ ply, judged }) => {
      game.view.judged[ply] = game.nodes[ply].judged = judged;
      page.draw();
    });
  } catch (error) {
    fail(error);
  } finally {
    $('evaluate').disabled = false;
  }
}

// review goes through the whole game, or stops doing so.
export async function review() {
  const game = current();
  if (game.reviewing) {
    game.reviewing.abort();
    return;
  }
  const control = new AbortController();
  game.reviewing = control;
  try {
    await lines(`/api/games/${game.view.id}/review`, { weights: $('analysis-weights').value }, control.signal, (step) => {
      if (step.review) noteReview(game, step.review);
      game.left = step.left;
      drawReviewButton(game);
    });
    await refresh(game.view.id);
  } catch (error) {
    fail(error);
  } finally {
    game.reviewing = null;
    page.draw();
  }
}

function noteReview(game, found) {
  game.review = found;
  game.tree.follow(found.moves).slice(1).forEach((node, i) => node.remark(found.notes[i]));
}

export function drawReviewButton(game) {
  if (game !== current()) return;
  $('review').textContent = game.reviewing ? `Stop (${game.left ?? game.view.moves.length} left)` : 'Review';
  $('review').disabled = !game.view.moves.length;
}

export function toNextMistake() {
  const game = current();
  const node = nextMistake(game.nodes, game.view.ply);
  if (node) goToNode(node);
}

// instead shows a line in the place of the last move on the board, null for none.
export function instead(line) {
  const game = current();
  game.instead = line && { line, ply: game.view.ply };
  page.draw();
}
