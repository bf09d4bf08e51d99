// Setting up a position: stones are put and taken away at will, then a game begins there.

import { $ } from './dom.js';

export class Setup {
  constructor() { this.stones = null; } // cell: is black; null: nothing is set up

  get on() { return this.stones !== null; }

  begin(view) {
    this.stones = new Map(view.moves.slice(0, view.ply).map((cell, i) => [cell, i % 2 === 0]));
  }

  end() { this.stones = null; }

  clear() { this.stones.clear(); }

  // put puts what is chosen on a cell; the same stone again takes it away.
  put(cell) {
    const kind = document.querySelector('#setup-tools input:checked').value;
    const black = kind === 'black';
    if (kind === 'empty' || this.stones.get(cell) === black) this.stones.delete(cell);
    else this.stones.set(cell, black);
  }

  cells(black) { return [...this.stones].filter(([, b]) => b === black).map(([cell]) => cell); }

  // text tells what is on the board, and whose move it will be.
  text() {
    const [black, white] = [this.cells(true).length, this.cells(false).length];
    const stones = `${black} black, ${white} white.`;
    if (black === white) return `${stones} Black moves next.`;
    if (black === white + 1) return `${stones} White moves next.`;
    return `${stones} Black needs one for each white one, or one more.`;
  }

  draw() { $('setup-tools').hidden = !this.on; }
}
