// The page: games in tabs, each driven by the program's answers. It listens to its buttons and keys, and begins.

import { get } from './api.js';
import { plyAt } from './chart.js';
import { choose, cut, goTo, promote, redo, run, seatsChanged, step, swap, undo } from './controls.js';
import { $, onFile, onKeys, toast } from './dom.js';
import { analysis, draw, explorer } from './drawing.js';
import { evaluate, hint, review, toNextMistake } from './evaluate.js';
import { arrive, importRecord, loadWeights, openPaste, openPasted, saveTree, share } from './files.js';
import { activate, create, firstGame, restore } from './games.js';
import { fail } from './messages.js';
import { beginSetUp, dialogBoard, dialogSides, endSetUp, openDialog, startGame, startSetUp } from './newgame.js';
import { fillPlayers, fillStrengths, playerOf } from './players.js';
import { current, games, page, setUp } from './state.js';

// ifShown returns a function that does what a key is for, while its button and the tools are there and may be pressed.
const ifShown = (id, go) => () => { if (!$('tools').hidden && !$(id).hidden && !$(id).disabled) go(); };

const keys = {
  u: ifShown('undo', undo), r: ifShown('redo', redo), h: ifShown('hint', hint), x: ifShown('swap', swap), n: openDialog, p: ifShown('run', run), m: ifShown('tools', toNextMistake),
  a: () => $('analysis-on').click(),
  '[': ifShown('tools', () => step(-1)), ']': ifShown('tools', () => step(1)),
  Home: ifShown('tools', () => goTo(0)), End: ifShown('tools', () => goTo(current().view.moves.length)),
};

function listen() {
  const clicks = {
    new: openDialog, undo, redo, hint, swap, run, evaluate, review, share, 'next-mistake': toNextMistake, promote, cut,
    setup: beginSetUp, 'setup-clear': () => { setUp.clear(); draw(); }, 'setup-cancel': endSetUp, 'setup-done': startSetUp,
    paste: openPaste, 'paste-cancel': () => $('paste-dialog').close(),
    first: () => goTo(0), back: () => step(-1), forth: () => step(1), last: () => goTo(current().view.moves.length),
    'take-black': () => choose('black'), 'take-white': () => choose('white'), 'take-two': () => choose('two'),
    solve: () => analysis.solve(current().view), 'new-cancel': () => $('new-dialog').close(),
  };
  for (const [id, go] of Object.entries(clicks)) $(id).addEventListener('click', go);
  for (const id of ['black-player', 'white-player', 'black-strength', 'white-strength']) $(id).addEventListener('change', seatsChanged);
  $('analysis-weights').addEventListener('change', () => { current().weights = $('analysis-weights').value; });
  for (const id of ['analysis-on', 'analysis-weights', 'analysis-lines', 'analysis-time']) {
    $(id).addEventListener('change', () => { analysis.follow(current().view, true); draw(); });
  }
  for (const id of ['heat', 'numbers', 'renju-notation', 'twice']) {
    $(id).addEventListener('change', () => { analysis.draw(current().view); explorer.draw(); draw(); });
  }
  $('save-sgf').addEventListener('click', saveTree);
  onFile('weights-file', loadWeights);
  onFile('record-file', importRecord);
  $('curve').addEventListener('click', (event) => goTo(plyAt($('curve'), event, current().view.moves.length)));
  $('new-side').addEventListener('change', dialogSides);
  for (const id of ['new-rule', 'new-size']) $(id).addEventListener('change', dialogBoard);
  $('new-opponent').addEventListener('change', () => fillStrengths($('new-strength'), page.setup, $('new-strength').value, playerOf(page.setup, $('new-opponent').value).weights));
  $('new-form').addEventListener('submit', startGame);
  $('paste-form').addEventListener('submit', openPasted);
  onKeys(keys);
  addEventListener('hashchange', () => arrive().catch(fail));
}

async function begin() {
  page.draw = draw;
  page.setup = await get('/api/setup');
  fillPlayers($('analysis-weights'), page.setup, page.setup.default, { weightsOnly: true });
  await restore();
  await arrive();
  if (!page.active && games.size) activate([...games.keys()].at(-1));
  if (!page.active) await create(firstGame());
  listen();
  document.body.dataset.ready = 'true';
}

begin().catch((error) => {
  toast(`The page could not begin: ${error.message}`);
});
