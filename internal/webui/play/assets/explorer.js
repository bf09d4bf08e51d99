// The opening explorer: what was played in the position in the games that the program was given.

import { post } from './api.js';
import { $, el } from './dom.js';

const percent = (share) => `${Math.round(100 * share)} %`;

export class Explorer {
  // play plays a move, show previews it (null: none), name returns a cell as the board's labels have it.
  constructor(play, show, name) {
    this.play = play;
    this.show = show;
    this.name = name;
    this.about = null;
  }

  // follow asks about the position of a game, once for each.
  follow(view) {
    const about = `${view.id} ${view.moves.slice(0, view.ply).join('')} ${$('analysis-weights').value}`;
    if (about === this.about) return;
    this.about = about;
    clearTimeout(this.timer);
    this.control?.abort();
    this.timer = setTimeout(() => this.ask(view), 150);
  }

  async ask(view) {
    const control = new AbortController();
    this.control = control;
    if (view.outcome !== 'ongoing') {
      this.draw(null, 'The game is over.');
      return;
    }
    try {
      const found = await post(`/api/games/${view.id}/explore`, { ply: view.ply, weights: $('analysis-weights').value }, control.signal);
      if (this.control === control) this.draw(found, this.textOf(found, view));
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.about = null;
      this.draw(null, error.status === 409 ? '' : error.message);
    }
  }

  textOf({ games, moves }, { rule, size }) {
    const board = `${rule} on ${size} × ${size}`;
    if (!games) return `No games of ${board}. Start the program with their records: play web --games games.jsonl`;
    const searched = moves.some((m) => m.searched) ? ' * Of a short search: the records tell no score.' : '';
    return `${games} ${games === 1 ? 'game' : 'games'} of ${board}.${moves.length ? searched : ' None came to this position.'}`;
  }

  draw(found = this.found, text = $('explorer-note').textContent) {
    this.found = found;
    $('explorer-note').textContent = text;
    const moves = found?.moves || [];
    $('explorer').hidden = !moves.length;
    $('explorer-rows').replaceChildren(...moves.map((m) => this.row(m)));
  }

  row({ move, games, score, chances, searched }) {
    const enter = () => this.show([move]);
    const leave = () => this.show(null);
    const button = el('button', { type: 'button', class: 'small', 'aria-label': `Play ${this.name(move)}`, pointerenter: enter, pointerleave: leave, focus: enter, blur: leave, click: () => { leave(); this.play(move); } }, this.name(move));
    return el('tr', {}, el('th', { scope: 'row' }, button), el('td', {}, games.toLocaleString('en')), el('td', {}, score === null ? '–' : percent(score)), el('td', {}, percent(chances) + (searched ? ' *' : '')));
  }
}
