// The champion's weights: the table of changes, and the curves of those that are chosen.

import { Chart, short } from './chart.js';
import { byId } from './site.js';

const mostCurves = 8, chosenAtFirst = 6;

// distance is how far a weight has come, in doublings; run.Value.Distance says the same.
function distance(w, value) {
  if (w.start > 0 && value > 0) return Math.abs(Math.log2(value / w.start));
  return Math.abs(Math.asinh(value / w.ref) - Math.asinh(w.start / w.ref)) / Math.LN2;
}

function change(start, value) {
  if (start > 0 && value > 0) return `×${(value / start).toFixed(2)}`;
  const d = +(value - start).toPrecision(6);
  return d > 0 ? `+${d}` : String(d);
}

export class Weights {
  constructor() {
    this.weights = [];
    this.chosen = undefined; // indices, undefined until somebody chooses: the largest changes
    this.chart = new Chart(byId('traces'), {});
    byId('filter').addEventListener('input', () => this.table());
  }

  reset(weights) {
    this.weights = weights;
  }

  show(generations) {
    this.generations = generations.filter(g => g.values);
    this.values = this.generations.at(-1)?.values;
    if (!this.values) { this.chart.show([]); return; }
    this.order = this.weights.map((_, i) => i).sort((a, b) => distance(this.weights[b], this.values[b]) - distance(this.weights[a], this.values[a]));
    this.curves();
    this.table();
  }

  shown() {
    return this.chosen ?? this.order.slice(0, chosenAtFirst);
  }

  curves() {
    const shown = this.shown();
    const factors = shown.every(i => this.weights[i].start > 0);
    byId('traces-note').textContent = `The champion's weights ${factors ? 'as a factor of the start' : 'in points'}; choose up to ${mostCurves} in the table of changes.`;
    this.chart.options.zero = factors ? 1 : undefined;
    this.chart.options.format = factors ? v => `×${+v.toPrecision(4)}` : short;
    this.chart.options.legend = false;
    this.chart.show(shown.map((i, k) => {
      const w = this.weights[i];
      const points = this.generations.map(g => ({ x: g.games, y: factors ? g.values[i] / w.start : g.values[i] }));
      return { name: w.name, colour: k, points: [{ x: 0, y: factors ? 1 : w.start }, ...points] };
    }));
  }

  toggle(i) {
    const shown = this.shown();
    this.chosen = shown.includes(i) ? shown.filter(k => k !== i) : [...shown, i].slice(-mostCurves);
    this.curves();
    this.table();
  }

  table() {
    if (!this.values) return;
    const wanted = byId('filter').value.trim().toLowerCase();
    const shown = this.shown();
    const focused = document.activeElement?.dataset?.weight;
    byId('weights').replaceChildren(...this.order.filter(i => this.weights[i].name.includes(wanted)).map(i => {
      const w = this.weights[i], row = document.createElement('tr');
      const cells = [this.button(i, shown.indexOf(i)), +w.start.toPrecision(6), +this.values[i].toPrecision(6), change(w.start, this.values[i])];
      for (const c of cells) {
        const cell = document.createElement('td');
        cell.append(c);
        row.append(cell);
      }
      row.title = w.doc;
      return row;
    }));
    if (focused) byId('weights').querySelector(`[data-weight="${CSS.escape(focused)}"]`)?.focus();
  }

  button(i, colour) {
    const button = document.createElement('button'), dot = document.createElement('span');
    dot.className = colour < 0 ? 'dot' : `dot d${colour}`;
    button.append(dot, this.weights[i].name);
    button.dataset.weight = i;
    button.setAttribute('aria-pressed', String(colour >= 0));
    button.addEventListener('click', () => this.toggle(i));
    return button;
  }
}
