// The board: an SVG drawn anew for each state, played by pointer or keyboard.

import { svg } from './dom.js';

const cell = 40;
const margin = 48;

const column = (name) => name.charCodeAt(0) - 97;
const row = (name) => Number(name.slice(1)) - 1;
const nameOf = (x, y) => String.fromCharCode(97 + x) + (y + 1);

export class Board {
  // onPlay gets the name of a cell, onCursor the name under the keyboard's cursor.
  constructor(root, onPlay, onCursor) {
    this.root = root;
    this.onPlay = onPlay;
    this.onCursor = onCursor;
    this.size = 15;
    this.cursor = null;
    this.hover = null;
    this.armed = null;
    this.state = null;
    root.addEventListener('pointermove', (event) => this.point(event));
    root.addEventListener('pointerleave', () => this.setHover(null));
    root.addEventListener('click', (event) => this.click(event));
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('focus', () => this.drawCursor());
    root.addEventListener('blur', () => this.drawCursor());
  }

  at(i) { return margin + i * cell; }

  // cellAt returns the name of the cell at a pointer, null beside the board.
  cellAt(event) {
    const matrix = this.root.getScreenCTM();
    if (!matrix) return null;
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const x = Math.round((p.x - margin) / cell);
    const y = Math.round((p.y - margin) / cell);
    return x >= 0 && y >= 0 && x < this.size && y < this.size ? nameOf(x, y) : null;
  }

  point(event) {
    if (event.pointerType !== 'touch') this.setHover(this.cellAt(event));
  }

  click(event) {
    const name = this.cellAt(event);
    if (!name) return;
    this.cursor = name;
    if (this.state.twice && event.pointerType === 'touch' && this.armed !== name) {
      this.armed = name;
      this.setHover(name);
      return;
    }
    this.armed = null;
    this.onPlay(name);
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) {
      const clip = (v) => Math.max(0, Math.min(this.size - 1, v));
      this.cursor = nameOf(clip(column(this.cursor) + step[0]), clip(row(this.cursor) + step[1]));
      this.drawCursor();
      this.onCursor(this.cursor);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.onPlay(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
  }

  setHover(name) {
    if (this.hover === name) return;
    this.hover = name;
    this.drawGhost();
  }

  // render draws a state: {size, stones: [{cell, black}], last, row, forbidden: {cell: why}, turn, playable, heat, marks,
  // preview, hint, numbers, fromBottom, twice}.
  render(state) {
    this.state = state;
    if (state.size !== this.size || !this.cursor) {
      this.size = state.size;
      const middle = Math.floor(state.size / 2);
      this.cursor = nameOf(middle, middle);
    }
    const width = 2 * margin + (state.size - 1) * cell;
    this.root.setAttribute('viewBox', `0 0 ${width} ${width}`);
    this.ghost = svg('g', { 'pointer-events': 'none' });
    this.caret = svg('g', { 'pointer-events': 'none' });
    this.root.replaceChildren(definitions(), this.wood(width), this.heat(), this.forbidden(), this.stones(), this.winning(),
      this.marks(), this.preview(), this.ghost, this.caret);
    this.drawGhost();
    this.drawCursor();
  }

  wood(width) {
    const group = svg('g', {}, svg('rect', { width, height: width, fill: 'url(#wood)' }), svg('rect', { width, height: width, fill: 'url(#grain)', opacity: 0.5 }));
    const last = this.at(this.size - 1);
    let path = '';
    for (let i = 0; i < this.size; i++) path += `M${margin} ${this.at(i)}H${last}M${this.at(i)} ${margin}V${last}`;
    group.append(svg('path', { d: path, stroke: '#5b3c17', 'stroke-width': 1.2, opacity: 0.85, fill: 'none' }));
    group.append(svg('rect', { x: margin, y: margin, width: last - margin, height: last - margin, fill: 'none', stroke: '#4d3111', 'stroke-width': 2.4 }));
    for (const [x, y] of stars(this.size)) group.append(svg('circle', { cx: this.at(x), cy: this.at(y), r: 4.2, fill: '#4d3111' }));
    for (let i = 0; i < this.size; i++) {
      group.append(this.label(this.at(i), 15, String.fromCharCode(97 + i)));
      group.append(this.label(14, this.at(i), this.state.fromBottom ? this.size - i : i + 1));
    }
    return group;
  }

  label(x, y, text) {
    return svg('text', { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': 14, 'font-weight': 600, fill: '#442c0f', 'aria-hidden': 'true' }, String(text));
  }

  place(name) { return [this.at(column(name)), this.at(row(name))]; }

  heat() {
    const group = svg('g', { class: 'heat' });
    for (const [name, value] of Object.entries(this.state.heat || {})) {
      if (value < 0.04) continue;
      const [cx, cy] = this.place(name);
      group.append(svg('circle', { cx, cy, r: 13 + 13 * value, fill: `url(#heat${Math.min(heatSteps - 1, Math.floor(value * heatSteps))})`, opacity: 0.45 + 0.55 * value }));
    }
    return group;
  }

  forbidden() {
    const group = svg('g', { class: 'forbidden', stroke: '#a01607', 'stroke-width': 3.6, 'stroke-linecap': 'round' });
    for (const [name, why] of Object.entries(this.state.forbidden)) {
      const [x, y] = this.place(name);
      group.append(svg('path', { d: `M${x - 7} ${y - 7}l14 14M${x + 7} ${y - 7}l-14 14` }, svg('title', {}, `${name} is forbidden to Black: ${why}`)));
    }
    return group;
  }

  stone(name, black, options = {}) {
    const [cx, cy] = this.place(name);
    const group = svg('g', { class: black ? 'stone-black' : 'stone-white', opacity: options.opacity });
    if (!options.opacity) group.append(svg('circle', { cx: cx + 1.5, cy: cy + 2.5, r: 18, fill: '#2b1904', opacity: 0.35 }));
    group.append(svg('circle', { cx, cy, r: 18, fill: black ? 'url(#black)' : 'url(#white)', stroke: black ? '#000' : '#9b9282', 'stroke-width': 0.8 }));
    if (options.text) {
      group.append(svg('text', { x: cx, y: cy + 0.5, 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': options.text > 99 ? 13 : 15.5, 'font-weight': 700, fill: black ? '#fff' : '#1c1a16' }, String(options.text)));
    }
    return group;
  }

  stones() {
    const group = svg('g', { class: 'stones' });
    this.state.stones.forEach(({ cell: name, black }, i) => group.append(this.stone(name, black, { text: this.state.numbers ? i + 1 : null })));
    const last = this.state.last;
    if (last) {
      const [cx, cy] = this.place(last);
      const black = this.state.stones.at(-1).black;
      group.append(this.state.numbers
        ? svg('circle', { class: 'last', cx, cy, r: 15, fill: 'none', stroke: '#e5482d', 'stroke-width': 2.6 })
        : svg('g', { class: 'last' }, svg('circle', { cx, cy, r: 6, fill: '#e5482d', stroke: black ? '#fff' : '#1c1a16', 'stroke-width': 1.4 })));
    }
    return group;
  }

  winning() {
    const cells = this.state.row;
    const group = svg('g', { class: 'winning' });
    for (const name of cells) {
      const [cx, cy] = this.place(name);
      group.append(svg('circle', { cx, cy, r: 19.5, fill: 'none', stroke: '#e5482d', 'stroke-width': 3.4 }));
    }
    return group;
  }

  marks() {
    const group = svg('g', { class: 'marks', 'pointer-events': 'none' });
    (this.state.marks || []).forEach(({ cell: name, text }, i) => {
      const [cx, cy] = this.place(name);
      group.append(svg('circle', { cx, cy, r: 13, fill: i ? '#fff7e6' : '#0c4f9e', stroke: '#0c4f9e', 'stroke-width': 2 }));
      group.append(svg('text', { x: cx, y: cy + 0.5, 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': 14, 'font-weight': 750, fill: i ? '#0b3f80' : '#fff' }, text));
    });
    if (this.state.hint) {
      const [cx, cy] = this.place(this.state.hint);
      group.append(svg('circle', { class: 'hint', cx, cy, r: 15, fill: '#0c4f9e', 'fill-opacity': 0.18, stroke: '#0c4f9e', 'stroke-width': 3.4, 'stroke-dasharray': '6 4' }));
    }
    return group;
  }

  preview() {
    const group = svg('g', { class: 'preview', 'pointer-events': 'none' });
    let black = this.state.turn === 'black';
    (this.state.preview || []).forEach((name, i) => {
      group.append(this.stone(name, black, { text: i + 1, opacity: 0.86 }));
      black = !black;
    });
    return group;
  }

  drawGhost() {
    this.ghost.replaceChildren();
    const state = this.state;
    if (!this.hover || !state.playable || state.preview?.length || state.stones.some((s) => s.cell === this.hover)) return;
    if (state.turn === 'black' && this.hover in state.forbidden) return;
    this.ghost.append(this.stone(this.hover, state.turn === 'black', { opacity: 0.55 }));
  }

  drawCursor() {
    this.caret.replaceChildren();
    if (document.activeElement !== this.root) return;
    const [x, y] = this.place(this.cursor);
    const r = 19;
    const s = 9;
    const d = `M${x - r} ${y - r + s}v${-s}h${s}M${x + r - s} ${y - r}h${s}v${s}M${x + r} ${y + r - s}v${s}h${-s}M${x - r + s} ${y + r}h${-s}v${-s}`;
    this.caret.append(svg('path', { d, fill: 'none', stroke: '#fff', 'stroke-width': 6, opacity: 0.8 }), svg('path', { d, fill: 'none', stroke: '#0c4f9e', 'stroke-width': 3.4 }));
  }
}

// stars are the points that are marked for orientation.
function stars(size) {
  if (size < 9 || size % 2 === 0) return [];
  const far = size - 4;
  const middle = (size - 1) / 2;
  return [[3, 3], [far, 3], [3, far], [far, far], [middle, middle]];
}

// heatSteps is how many colours the heat map has, from gold to crimson.
const heatSteps = 6;

function heatGradients() {
  return Array.from({ length: heatSteps }, (_, i) => {
    const colour = `hsl(${42 - 8 * i} 95% ${48 - 2 * i}%)`;
    return svg('radialGradient', { id: `heat${i}` },
      svg('stop', { offset: 0, 'stop-color': colour, 'stop-opacity': 0.95 }), svg('stop', { offset: 0.5, 'stop-color': colour, 'stop-opacity': 0.6 }), svg('stop', { offset: 1, 'stop-color': colour, 'stop-opacity': 0 }));
  });
}

function gradient(id, ...stops) {
  return svg('radialGradient', { id, cx: 0.36, cy: 0.3, r: 0.78 }, ...stops.map(([offset, colour]) => svg('stop', { offset, 'stop-color': colour })));
}

function definitions() {
  return svg('defs', {},
    svg('linearGradient', { id: 'wood', x1: 0, y1: 0, x2: 1, y2: 1 },
      svg('stop', { offset: 0, 'stop-color': '#eac588' }), svg('stop', { offset: 0.55, 'stop-color': '#dfb06a' }), svg('stop', { offset: 1, 'stop-color': '#d19b51' })),
    svg('pattern', { id: 'grain', width: 310, height: 46, patternUnits: 'userSpaceOnUse' },
      svg('path', { d: 'M0 6C60 2 120 11 180 7S280 4 310 6M0 19C70 23 130 15 200 20S290 22 310 19M0 33C50 30 140 38 210 33S270 31 310 33M0 42C90 45 160 40 310 42', fill: 'none', stroke: '#b57c35', 'stroke-width': 1.1, opacity: 0.42 })),
    ...heatGradients(),
    gradient('black', [0, '#7a808b'], [0.25, '#3a3f48'], [0.65, '#15181c'], [1, '#050608']),
    gradient('white', [0, '#ffffff'], [0.55, '#f4f0e7'], [1, '#c9c1b2']));
}
