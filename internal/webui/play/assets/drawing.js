// The drawing of the page, all of it anew after each change.

import { Analysis } from './analysis.js';
import { drawCurve } from './chart.js';
import { board, goToNode, play } from './controls.js';
import { $, capital, el } from './dom.js';
import { drawReviewButton, instead } from './evaluate.js';
import { Explorer } from './explorer.js';
import { activate, refresh, shut } from './games.js';
import { fail, nameOf, shown, statusOf } from './messages.js';
import { playerOf } from './players.js';
import { drawReview } from './review.js';
import { anyEngine, colours, current, games, isEngine, nodeOf, ongoing, page, setUp } from './state.js';
import { drawTree } from './tree.js';

export const analysis = new Analysis(() => draw(), () => refresh(page.active), (name) => shown(name), fail);
export const explorer = new Explorer(play, (line) => (line ? analysis.show(line) : analysis.unmarked()), (name) => shown(name));

export function draw() {
  const game = current();
  if (!game) return;
  const { view } = game;
  drawTabs();
  setUp.draw();
  $('tools').hidden = setUp.on;
  drawScore(game);
  const other = game.instead?.ply === view.ply ? game.instead.line : null;
  const shownPly = other ? view.ply - 1 : view.ply;
  const stones = view.moves.slice(0, shownPly).map((cell, i) => ({ cell, black: i % 2 === 0 }));
  const analysing = analysis.on && ongoing(view);
  analysis.follow(view);
  explorer.follow(view);
  if (setUp.on) drawSetUp(view);
  else board.render({
    size: view.size, stones, last: stones.at(-1)?.cell, row: other ? [] : view.row, forbidden: other ? {} : view.forbidden, turn: colours[shownPly % 2],
    playable: ongoing(view) && !isEngine(view.mover), hint: game.hint,
    heat: analysing && !other && $('heat').checked ? analysis.heat : null, marks: analysing && !other && !analysis.preview.length ? analysis.marks() : [],
    preview: other || analysis.preview, numbers: $('numbers').checked, fromBottom: $('renju-notation').checked, twice: $('twice').checked,
  });
  $('board').setAttribute('aria-label', `Board, ${view.size} by ${view.size}, ${view.rule}, ${view.ply} moves played`);
  $('rule').textContent = `${capital(view.rule)} ${view.size} × ${view.size}`;
  $('analysis-state').textContent = analysis.on ? 'on' : 'off';
  drawTools(game);
  drawMoves(game);
  drawReview(game.review, game.nodes, nodeOf(game), shown, instead);
  drawReviewButton(game);
  drawCurve($('curve'), view.judged, view.ply, view.moves.length);
  for (const format of ['psq', 'sgf', 'moves']) $(`save-${format}`).href = `/api/games/${view.id}/record?format=${format}`;
  const facts = view.seats.map((s) => playerOf(page.setup, s.player)).filter((p) => p?.proven).map((p) => `${p.label}: ${p.proven}`);
  $('proven').textContent = [...new Set(facts)].join(' · ');
}

function drawSetUp({ size }) {
  const stones = [...setUp.stones].map(([cell, black]) => ({ cell, black }));
  board.render({ size, stones, row: [], forbidden: {}, turn: 'black', playable: false, fromBottom: $('renju-notation').checked });
}

function drawTabs() {
  const focused = document.activeElement?.dataset?.tab;
  $('tabs').replaceChildren(...[...games.values()].map(({ view, number, thinking }) => el('span', { class: view.id === page.active ? 'tab on' : 'tab' },
    el('button', { type: 'button', 'aria-current': view.id === page.active ? 'page' : 'false', 'data-tab': view.id, click: () => activate(view.id) }, `Game ${number}${thinking && view.id !== page.active ? ' …' : ''}`),
    el('button', { type: 'button', class: 'shut', 'aria-label': `Close game ${number}`, click: () => shut(view.id) }, '×'))));
  if (focused) $('tabs').querySelector(`[data-tab="${CSS.escape(focused)}"]`)?.focus();
}

function drawScore({ view }) {
  const parties = ['Opener', 'Responder'];
  const chooser = view.opening === 'answer' || view.opening === 'add' ? 1 : 0;
  for (const [i, colour] of colours.entries()) {
    $(`${colour}-name`).textContent = view.opening ? `${parties[i]}: ${nameOf(view, i)}` : nameOf(view, i);
    $(`${colour}-turn`).hidden = !ongoing(view) || (view.opening ? chooser !== i : view.turn !== colour);
    $(`${colour}-turn`).textContent = view.options.length ? 'to choose' : 'to move';
  }
  const known = view.judged.slice(0, view.ply + 1).findLast(Boolean);
  let chances = known?.chances ?? 0.5;
  let text = 'no evaluation yet';
  const outcome = view.recorded?.outcome ?? view.outcome;
  if (outcome === 'black wins' || outcome === 'white wins') {
    chances = outcome === 'black wins' ? 1 : 0;
    text = capital(outcome);
  } else if (outcome === 'draw') {
    chances = 0.5;
    text = 'Draw';
  } else if (known?.win) {
    text = `${known.win > 0 ? 'Black' : 'White'} wins in ${Math.abs(known.win)}`;
  } else if (known?.expected) {
    text = `${known.expected === 'win' ? 'Black' : 'White'} wins, it seems`;
  } else if (known) {
    text = `Black ${Math.round(100 * chances)} %`;
  }
  $('bar-black').style.width = `${100 * chances}%`;
  $('bar-text').textContent = text;
  $('bar').setAttribute('aria-valuenow', String(Math.round(100 * chances)));
  $('bar').setAttribute('aria-valuetext', text);
}

function drawTools(game) {
  const { view } = game;
  const text = setUp.on ? setUp.text() : game.message || statusOf(game);
  if ($('status').textContent !== text) $('status').textContent = text;
  $('status').classList.toggle('busy', Boolean(game.thinking) && !game.message);
  $('first').disabled = $('back').disabled = $('undo').disabled = view.ply === 0;
  $('last').disabled = $('forth').disabled = $('redo').disabled = view.ply === view.moves.length;
  $('hint').disabled = !ongoing(view);
  $('solve').disabled = !ongoing(view);
  if (view.opening) { // only stones of one's own step can be taken back
    for (const id of ['first', 'back', 'forth', 'last', 'redo']) $(id).disabled = true;
    $('undo').disabled = view.options.length > 0 || isEngine(view.mover) || view.ply === (view.opening === 'add' ? 3 : 0);
  }
  const options = ongoing(view) && !isEngine(view.mover) ? view.options : [];
  $('choices').hidden = setUp.on || !options.length;
  for (const option of ['black', 'white', 'two']) $(`take-${option}`).hidden = !options.includes(option);
  for (const id of ['swap', 'black-player', 'white-player']) $(id).disabled = Boolean(view.opening);
  for (const [i, colour] of colours.entries()) $(`${colour}-strength`).disabled = Boolean(view.opening) || !view.seats[i].player;
  $('run').hidden = !anyEngine(view) || !ongoing(view);
  $('run').textContent = game.paused ? 'Continue' : 'Pause';
}

function drawMoves({ tree, nodes, view }) {
  const now = nodes[view.ply];
  drawTree($('moves'), tree, nodes, view.ply, shown, goToNode);
  $('variations').hidden = !tree.branches();
  $('promote').disabled = now.isMain();
  $('cut').disabled = !now.parent;
}
