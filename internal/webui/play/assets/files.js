// Weights, records and links: what is loaded, saved, pasted and shared.

import { text, upload } from './api.js';
import { $, el, toast } from './dom.js';
import { activate, adopt, create } from './games.js';
import { fail, shown } from './messages.js';
import { fillPlayers } from './players.js';
import { current, games, page } from './state.js';

export async function loadWeights(file) {
  try {
    const player = await upload('/api/weights', file);
    page.setup.uploads = [...page.setup.uploads.filter((p) => p.id !== player.id), player];
    fillPlayers($('analysis-weights'), page.setup, $('analysis-weights').value, { weightsOnly: true });
    activate(page.active);
    toast(`Weights “${player.label}” are loaded: choose them under Players or Analysis.`);
  } catch (error) {
    fail(error);
  }
}

// saveTree saves a game with its variations, which the program does not know, and a plain link therefore lacks.
export async function saveTree(event) {
  const { view, tree } = current();
  if (!tree.branches()) return;
  event.preventDefault();
  try {
    const sgf = await text(`/api/games/${view.id}/record`, { format: 'sgf', tree: tree.kept() });
    const href = URL.createObjectURL(new Blob([sgf], { type: 'text/plain' }));
    el('a', { href, download: `quintune_${view.rule}.sgf` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  } catch (error) {
    fail(error);
  }
}

// importText opens the games of a text; the name of its file tells what the text alone does not.
async function importText(text, name) {
  const { view } = current();
  const first = await upload(`/api/import?size=${view.size}&rule=${view.rule}&file=${encodeURIComponent(name)}`, text);
  for (const read of [first, ...first.further]) {
    const game = adopt(read, { show: read === first, tree: read.tree });
    if (read.fouled) game.message = `The last move of the record, ${shown(read.fouled, read)}, is left out. It is forbidden to Black: ${read.forbidden[read.fouled]}.`;
  }
  const many = 1 + first.further.length;
  const left = first.left ? `; ${first.left} more of the file are left out` : '';
  toast(many > 1 ? `${many} games are read${left}.` : `${first.moves.length} moves are read${left}.`);
  page.draw();
}

export const importRecord = (file) => importText(file, file.name).catch(fail);

export function openPaste() {
  $('paste-text').value = '';
  $('paste-error').textContent = '';
  $('paste-dialog').showModal();
}

// openPasted opens a link to a position, or whatever can be imported.
export async function openPasted(event) {
  event.preventDefault();
  const text = $('paste-text').value;
  const link = text.match(/#(size=\S*moves=[a-z0-9]*)/);
  try {
    if (link) await createNamed(new URLSearchParams(link[1]));
    else await importText(text, '');
    $('paste-dialog').close();
    $('board').focus();
  } catch (error) {
    $('paste-error').textContent = error.message;
  }
}

export async function share() {
  const { view } = current();
  const link = `${location.origin}/#size=${view.size}&rule=${view.rule}&moves=${view.moves.slice(0, view.ply).join('')}`;
  $('link').value = link;
  $('link').hidden = false;
  try {
    await navigator.clipboard.writeText(link);
    toast('The link is copied.');
  } catch {
    $('link').select();
  }
}

// createNamed begins a game with the position that a link names.
const createNamed = (want) => create({ size: Number(want.get('size') || 15), rule: want.get('rule') || 'freestyle', moves: want.get('moves'), seats: [{ player: '' }, { player: '' }] });

// arrive opens what the address names: a position, which is analysed where it asks for that, a game of this window, or nothing.
export async function arrive() {
  const want = new URLSearchParams(location.hash.slice(1));
  if (want.has('moves')) {
    if (want.has('analyse')) $('analysis-on').checked = true;
    await createNamed(want);
  } else if (games.has(want.get('game'))) {
    activate(want.get('game'));
  }
}
