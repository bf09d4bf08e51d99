// The analysis of the position on the board: lines, heat map, forced wins.

import { lines as streamLines, post, Refused } from './api.js';
import { $, el } from './dom.js';

// scoreText returns a score from the side to move for people.
function scoreText({ score, win, expected, chances }) {
  if (win > 0) return `win in ${win}`;
  if (win < 0) return `loss in ${-win}`;
  if (expected) return `${expected} expected`;
  return `${Math.round(100 * chances)} % (${score > 0 ? '+' : ''}${score})`;
}

// positionOf returns a text that tells the position on the board from those of other moves and games.
export const positionOf = (view) => `${view.id} ${view.moves.slice(0, view.ply).join('')}`;

const countText = (n) => (n < 10000 ? String(n) : n < 10000000 ? `${Math.round(n / 1000)} k` : `${(n / 1e6).toFixed(1)} M`);

// chips returns the moves of a line as buttons that show it up to the move, and nothing (null) when they are left.
export function chips(line, blackFirst, name, show) {
  return el('div', { class: 'chips' }, ...line.map((move, i) => {
    const enter = () => show(line.slice(0, i + 1));
    const leave = () => show(null);
    const black = (i % 2 === 0) === blackFirst;
    return el('button', { type: 'button', class: `chip ${black ? 'black' : 'white'}`, 'aria-label': `${i + 1}: ${name(move)}`, pointerenter: enter, pointerleave: leave, focus: enter, blur: leave, click: enter }, name(move));
  }));
}

// An analysis without end is made of ever longer slices, ms, so that others get their turn between them.
const firstSlice = 2000;
const longestSlice = 300000;

export class Analysis {
  // onChange draws the board anew; onJudged fetches the game after an analysis has judged it; name returns a cell as
  // the board's labels have it.
  constructor(onChange, onJudged, name, fail) {
    this.name = name;
    this.onChange = onChange;
    this.onJudged = onJudged;
    this.fail = fail;
    this.clear();
  }

  clear() {
    this.stop();
    this.about = null;
    this.found = [];
    this.heat = null;
    this.solution = null;
    this.preview = [];
    this.pinned = null; // the first move of the line that stays shown
  }

  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
  }

  get on() { return $('analysis-on').checked; }

  // follow analyses the game's position, once for each.
  follow(view, force = false) {
    const about = view && positionOf(view);
    if (about === this.about && !force) return;
    this.clear();
    this.about = about;
    if (this.on && view && view.outcome === 'ongoing') this.timer = setTimeout(() => this.run(view), 120);
    this.draw(view);
  }

  async run(view) {
    const control = new AbortController();
    this.control = control;
    $('effort').textContent = 'Analysing…';
    const asked = Number($('analysis-time').value);
    let time = asked || firstSlice;
    try {
      let ended = false; // long before its time: a longer slice would find the same
      do {
        const began = performance.now();
        await this.slice(view, control, time, asked === 0);
        if (this.control === control) this.onJudged();
        ended = performance.now() - began < time / 2;
        time = Math.min(2 * time, longestSlice);
      } while (asked === 0 && this.control === control && !this.found[0]?.win && !ended);
      if (this.control === control) $('effort').textContent = $('effort').textContent.replace('Analysing', 'Done');
    } catch (error) {
      if (error.name === 'AbortError') return;
      $('effort').textContent = error.message;
      if (error instanceof Refused && error.status === 409) this.about = null;
    }
  }

  // slice is one request of an analysis; one without end goes on from what the slice before has found.
  async slice(view, control, time, endless) {
    const body = { ply: view.ply, weights: $('analysis-weights').value, lines: Number($('analysis-lines').value), time };
    let instead = ''; // why other weights than the chosen ones analyse
    await streamLines(`/api/games/${view.id}/analyze`, body, control.signal, (step) => {
      if (this.control !== control) return;
      if (step.heat) this.heat = step.heat;
      if (step.instead) instead = ` ${step.instead}.`;
      if (step.lines && !(endless && step.lines[0].depth < this.found[0]?.depth)) this.found = step.lines;
      if (step.solution) this.solution = step.solution;
      this.draw(view);
      const state = step.done && !endless ? 'Done' : 'Analysing';
      $('effort').textContent = `${state}: ${countText(step.nodes || 0)} nodes, depth ${this.found[0]?.depth ?? 0}.${instead}`;
      this.onChange();
    });
  }

  // solve asks for a forced win with the whole time of the analysis.
  async solve(view) {
    const { about } = this;
    $('solve').disabled = true;
    $('effort').textContent = 'Looking for a forced win…';
    try {
      let found = null;
      for (const solver of ['vcf', 'vct']) {
        const body = { ply: view.ply, weights: $('analysis-weights').value, time: Number($('analysis-time').value) || 60000, solver };
        found = await post(`/api/games/${view.id}/solve`, body);
        if (this.about !== about) return; // another position is shown
        if (found.win) break;
      }
      this.solution = found;
      this.draw(view);
      $('effort').textContent = `${countText(found.nodes)} nodes`;
      this.onChange();
    } catch (error) {
      this.fail(error);
    } finally {
      $('solve').disabled = false;
    }
  }

  // show previews a line on the board.
  show(moves) {
    this.preview = moves;
    this.onChange();
  }

  // unmarked shows what is shown while no line is pointed at: the pinned one, as the last step found it.
  unmarked() { this.show(this.found.find((line) => line.move === this.pinned)?.pv || []); }

  draw(view) {
    this.drawSolution(view);
    const focused = [...$('lines').querySelectorAll('button')].indexOf(document.activeElement);
    $('lines').replaceChildren(...this.found.map((line, i) => el('li', {}, this.button(line, i))));
    if (focused >= 0) $('lines').querySelectorAll('button')[focused]?.focus();
    if (!this.on) $('effort').textContent = 'Switch it on to see the best moves, what follows them, and how the engine values each cell.';
    else if (view && view.outcome !== 'ongoing') $('effort').textContent = 'The game is over.';
  }

  button(line, i) {
    const enter = () => this.show(line.pv);
    const leave = () => this.unmarked();
    const pin = () => {
      this.pinned = this.pinned === line.move ? null : line.move;
      this.unmarked();
      for (const b of $('lines').querySelectorAll('button')) b.setAttribute('aria-pressed', 'false');
      $('lines').querySelectorAll('button')[i].setAttribute('aria-pressed', String(this.pinned === line.move));
    };
    return el('button', { type: 'button', 'aria-pressed': String(this.pinned === line.move), title: `${line.pv.map(this.name).join(' ')} (depth ${line.depth})`, pointerenter: enter, pointerleave: leave, focus: enter, blur: leave, click: pin },
      el('span', { class: 'rank' }, String(i + 1)), el('span', { class: 'cell' }, this.name(line.move)), el('span', { class: 'value' }, scoreText(line)), el('span', { class: 'pv' }, line.pv.slice(1).map(this.name).join(' ')));
  }

  drawSolution(view) {
    const box = $('solution');
    box.hidden = !this.solution;
    if (!this.solution) return;
    const { win, line, plies, solver, exhausted } = this.solution;
    const name = solver === 'vcf' ? 'continuous fours (VCF)' : 'continuous threats (VCT)';
    if (!win) {
      box.replaceChildren(el('strong', {}, exhausted ? 'There is no win by continuous threats.' : 'No forced win was found in the time.'));
      return;
    }
    const black = view.turn === 'black';
    const row = chips(line, black, this.name, (moves) => (moves ? this.show(moves) : this.unmarked()));
    box.replaceChildren(el('strong', {}, `${black ? 'Black' : 'White'} wins in ${plies} plies by ${name}`), row);
  }

  // marks returns the numbers that the board shows on the best moves.
  marks() { return this.found.map((line, i) => ({ cell: line.move, text: String(i + 1) })); }
}
