// The cluster that plays the run: who works, what is to come, and what went wrong.

import { whole } from './chart.js';
import { byId } from './site.js';

function element(name, text) {
  const e = document.createElement(name);
  e.textContent = text;
  return e;
}

function worker(w) {
  const row = document.createElement('tr');
  const cells = [w.name, w.state, w.jobs, whole(w.pairs), w.pairs_per_second.toFixed(1), `${(100 * w.busy).toFixed(0)} %`, w.version];
  row.append(...cells.map(text => element('td', text)));
  row.className = w.state === 'working' ? '' : 'amiss';
  if (w.reason) row.title = w.reason;
  return row;
}

// showCluster shows the current state of the cluster.
export function showCluster(c) {
  byId('cluster').hidden = false;
  byId('cluster-figures').textContent =
    `${c.working} workers with ${c.jobs} jobs play ${c.pairs_per_second.toFixed(1)} pairs a second; ${whole(c.pending)} pairs of this batch are to come.`;
  const faults = Object.entries(c.faults).sort().map(([kind, n]) => `${kind} ${n}`);
  byId('cluster-wrong').textContent =
    [`${whole(c.tasks)} tasks, ${whole(c.reissued)} sent again`, `${whole(c.audits)} pairs audited`, `${c.disputes} disputes`, ...faults].join(' · ');
  byId('cluster-workers').replaceChildren(...(c.workers ?? []).map(worker));
  byId('cluster-more').textContent = c.more > 0 ? `and ${whole(c.more)} more` : '';
  byId('cluster-refused').replaceChildren(...(c.refused ?? []).map(r => element('li', `${r.name} was turned away: ${r.reason}`)));
}
