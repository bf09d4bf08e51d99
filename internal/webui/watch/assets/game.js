// The game on show: the one in progress, or a finished one that is replayed move by move.

import { parse, show } from './board.js';
import { byId } from './site.js';

const mostGames = 24;
const step = 450; // ms a move while playing

export class Games {
  constructor() {
    this.live = { size: 15, moves: [] };
    this.game = undefined; // undefined: the one in progress
    this.ply = 0;
    byId('first').addEventListener('click', () => this.go(0));
    byId('back').addEventListener('click', () => this.go(this.ply - 1));
    byId('forward').addEventListener('click', () => this.go(this.ply + 1));
    byId('end').addEventListener('click', () => this.go(Infinity));
    byId('play').addEventListener('click', () => this.timer ? this.pause() : this.play());
    byId('live').addEventListener('click', () => this.choose(undefined));
    byId('ply').addEventListener('input', event => this.go(Number(event.target.value)));
    byId('board').addEventListener('keydown', event => {
      const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: Infinity }[event.key];
      if (to !== undefined) { event.preventDefault(); this.go(to); }
    });
    this.draw();
  }

  clear() {
    byId('list').replaceChildren();
    this.last = undefined;
  }

  // finished takes whether the run is done or read from the database: no game in progress is known then, and the last of the list is shown.
  finished(is) {
    if (is === this.none) return;
    const again = this.none; // a finished run goes on
    this.none = is;
    byId('live').hidden = is;
    if (again) this.choose(undefined);
    else if (is) this.showLast();
    this.draw();
  }

  showLast() {
    if (this.game || !this.last) return;
    this.choose(this.last);
    this.go(Infinity);
  }

  // add lists games, the latest first. The others keep their elements, and with them the focus.
  add(games) {
    const list = byId('list');
    for (const g of games) list.prepend(this.item(g));
    while (list.childElementCount > mostGames) list.lastElementChild.remove();
    this.last = games.at(-1) ?? this.last;
    if (this.none) this.showLast();
  }

  follow(live) {
    this.live = { size: live.size, moves: parse(live.moves) };
    if (!this.game) this.draw();
  }

  item(g) {
    const button = document.createElement('button'), item = document.createElement('li');
    button.textContent = `${g.black} – ${g.white}: ${g.outcome}, ${parse(g.moves).length} moves`;
    button.title = button.textContent;
    button.dataset.number = g.number;
    button.addEventListener('click', () => this.choose(g));
    item.append(button);
    return item;
  }

  // mark shows which game of the list is replayed.
  mark() {
    for (const button of byId('list').querySelectorAll('button')) {
      button.setAttribute('aria-current', String(button.dataset.number === String(this.game?.number)));
    }
  }

  choose(game) {
    this.pause();
    this.game = game && { ...game, moves: parse(game.moves) };
    this.ply = game ? game.opening : 0;
    this.mark();
    this.draw();
    if (game) this.play();
  }

  go(ply) {
    this.pause();
    if (!this.game) { // from the live game into the same game, held still
      if (this.live.moves.length === 0) return;
      this.game = { ...this.live, held: true };
    }
    this.ply = ply;
    this.draw();
  }

  play() {
    if (!this.game || this.ply >= this.game.moves.length) return;
    byId('play').setAttribute('aria-pressed', 'true');
    this.timer = setInterval(() => {
      this.ply++;
      this.draw();
      if (this.ply >= this.game.moves.length) this.pause();
    }, step);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = undefined;
    byId('play').setAttribute('aria-pressed', 'false');
  }

  draw() {
    const g = this.game ?? this.live;
    this.ply = this.game ? Math.max(0, Math.min(this.ply, g.moves.length)) : g.moves.length;
    show(byId('board'), g.size, g.moves, this.ply, this.game !== undefined);
    byId('live').setAttribute('aria-pressed', String(!this.game));
    byId('game-title').textContent = this.game || this.none ? 'Game' : 'Game in progress';
    byId('game-note').textContent = this.note(g);
    const slider = byId('ply');
    slider.max = g.moves.length;
    slider.value = this.ply;
  }

  note(g) {
    const at = `move ${this.ply}${this.game ? ` of ${g.moves.length}` : ''}${this.ply ? `, ${g.moves[this.ply - 1].name}` : ''}`;
    if (!this.game || g.held) return at;
    const end = g.adjudicated ? `${g.outcome}, proven or decided before the end` : g.outcome;
    return `${g.black} (black) – ${g.white} (white): ${end} · ${at}`;
  }
}
