// Line charts with an optional band, drawn as SVG. Colours come from the style sheet's classes s0…s7.

const NS = 'http://www.w3.org/2000/svg';

export function element(name, attributes = {}, text = '') {
  const e = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text !== '') e.textContent = text;
  return e;
}

// ticks returns at most about count round values within [low, high].
function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw);
  const list = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) list.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  return list;
}

export const whole = v => Math.round(v).toLocaleString('en');
export const short = v => Math.abs(v) >= 1e6 ? `${+(v / 1e6).toFixed(2)}M` : Math.abs(v) >= 1e4 ? `${+(v / 1e3).toFixed(1)}k` : `${+v.toPrecision(4)}`;
export const signed = v => `${Math.round(v) < 0 ? '−' : Math.round(v) > 0 ? '+' : ''}${Math.abs(v).toFixed(0)}`;

const margin = { top: 10, right: 12, bottom: 30, left: 46 };

// Chart draws into an svg element. options: empty, the text without points; format, of the values; zero, a
// value that is marked and always in sight; floor, below which the axis does not begin; legend, false for none.
export class Chart {
  constructor(svg, options) {
    this.svg = svg;
    this.options = { format: short, empty: '', ...options };
    this.data = [];
    new ResizeObserver(() => this.draw()).observe(svg);
    svg.addEventListener('pointermove', event => this.point(event));
    svg.addEventListener('pointerleave', () => { this.at = undefined; this.draw(); });
  }

  // show takes series of { name, colour 0…7, points: [{ x, y, low, high }] }.
  show(data) {
    this.data = data.filter(s => s.points.length > 0);
    this.draw();
  }

  // promise replaces the text without points.
  promise(text) {
    if (text === this.options.empty) return;
    this.options.empty = text;
    if (this.data.length === 0) this.draw();
  }

  point(event) {
    if (!this.x) return;
    const at = event.clientX - this.svg.getBoundingClientRect().left;
    const xs = [...new Set(this.data.flatMap(s => s.points.map(p => p.x)))];
    this.at = xs.reduce((best, x) => Math.abs(this.x(x) - at) < Math.abs(this.x(best) - at) ? x : best, xs[0]);
    this.draw();
  }

  draw() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width === 0) return;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    if (this.data.length === 0) {
      this.x = undefined;
      this.svg.replaceChildren(element('text', { class: 'empty', x: width / 2, y: height / 2, 'text-anchor': 'middle' }, this.options.empty));
      return;
    }
    this.scale(width, height);
    const parts = [...this.axes(width, height)];
    for (const s of this.data) parts.push(...this.series(s));
    if (this.at !== undefined) parts.push(...this.tip(width, height));
    this.svg.replaceChildren(...parts);
  }

  scale(width, height) {
    const all = this.data.flatMap(s => s.points);
    const ys = all.flatMap(p => [p.y, p.low ?? p.y, p.high ?? p.y]);
    if (this.options.zero !== undefined) ys.push(this.options.zero);
    let [low, high] = [Math.min(...ys), Math.max(...ys)];
    const pad = (high - low || Math.abs(high) || 1) * .06;
    [low, high] = [low - pad, high + pad];
    if (this.options.floor !== undefined) low = Math.max(low, this.options.floor);
    const last = Math.max(1, ...all.map(p => p.x));
    this.range = { low, high, last };
    this.x = v => margin.left + v / last * (width - margin.left - margin.right);
    this.y = v => height - margin.bottom - (v - low) / (high - low) * (height - margin.top - margin.bottom);
  }

  * axes(width, height) {
    for (const v of ticks(this.range.low, this.range.high, height / 45)) {
      const y = this.y(v);
      yield element('line', { class: 'grid', x1: margin.left, x2: width - margin.right, y1: y, y2: y });
      yield element('text', { x: margin.left - 6, y: y + 4, 'text-anchor': 'end' }, this.options.format(v));
    }
    if (this.options.zero !== undefined) {
      const y = this.y(this.options.zero);
      yield element('line', { class: 'zero', x1: margin.left, x2: width - margin.right, y1: y, y2: y });
    }
    const labels = ticks(0, this.range.last, width / 95);
    for (const v of labels) yield element('text', { x: this.x(v), y: height - margin.bottom + 15, 'text-anchor': 'middle' }, short(v));
    yield element('text', { x: width - margin.right, y: height - 3, 'text-anchor': 'end' }, 'games of the evolution');
    let x = margin.left;
    if (this.data.length > 1 && this.options.legend !== false) {
      for (const s of this.data) {
        yield element('text', { class: `f${s.colour}`, x, y: height - 3 }, s.name);
        x += 8 + s.name.length * 6.5;
      }
    }
  }

  * series(s) {
    const path = points => points.map(([x, y], i) => `${i ? 'L' : 'M'}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join('');
    const banded = s.points.filter(p => p.low !== undefined);
    if (banded.length === 1) {
      const [p] = banded;
      yield element('line', { class: `line s${s.colour}`, x1: this.x(p.x), x2: this.x(p.x), y1: this.y(p.low), y2: this.y(p.high) });
    }
    if (banded.length > 1) {
      const edge = banded.map(p => [p.x, p.high]).concat(banded.map(p => [p.x, p.low]).reverse());
      yield element('path', { class: `band f${s.colour}`, d: path(edge) + 'Z' });
    }
    yield element('path', { class: `line s${s.colour}`, d: path(s.points.map(p => [p.x, p.y])) });
    if (s.points.length < 40) {
      for (const p of s.points) yield element('circle', { class: `f${s.colour}`, cx: this.x(p.x), cy: this.y(p.y), r: 2.5 });
    }
  }

  * tip(width, height) {
    const lines = [`${whole(this.at)} games`];
    for (const s of this.data) {
      const p = s.points.find(q => q.x === this.at);
      if (!p) continue;
      const interval = p.low === undefined ? '' : ` [${this.options.format(p.low)}, ${this.options.format(p.high)}]`;
      lines.push(`${s.name} ${this.options.format(p.y)}${interval}${p.note ? ` ${p.note}` : ''}`);
      yield element('circle', { class: `f${s.colour}`, cx: this.x(p.x), cy: this.y(p.y), r: 4 });
    }
    const x = this.x(this.at);
    const boxWidth = Math.max(...lines.map(l => l.length)) * 6.3 + 16;
    const left = x + boxWidth + 12 > width ? x - boxWidth - 8 : x + 8;
    yield element('line', { class: 'cursor', x1: x, x2: x, y1: margin.top, y2: height - margin.bottom });
    yield element('rect', { class: 'tip', x: left, y: margin.top, width: boxWidth, height: lines.length * 16 + 8, rx: 5 });
    for (const [i, line] of lines.entries()) yield element('text', { class: 'tip-text', x: left + 8, y: margin.top + 17 + i * 16 }, line);
  }
}
