// What an accessibility checker looks for, as a list of complaints.
(() => {
  const complaints = [];
  const shown = (e) => e.checkVisibility({ opacityProperty: false, visibilityProperty: true });
  const label = (e) => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''}${e.className && e.className.baseVal === undefined ? '.' + e.className : ''}`;
  const dialog = document.querySelector('dialog[open]');
  const scope = dialog || document.body;

  // names
  for (const e of scope.querySelectorAll('button, a[href], input, select, [role=application], [role=img], [role=meter]')) {
    if (!shown(e)) continue;
    const name = e.getAttribute('aria-label') || (e.labels && [...e.labels].map((l) => l.textContent).join(' ')) || e.textContent || e.getAttribute('title') || '';
    if (!name.trim()) complaints.push(`${label(e)} has no name`);
    if (e.tabIndex > 0) complaints.push(`${label(e)} has a tab index of ${e.tabIndex}`);
    const box = (e.closest('label') || e).getBoundingClientRect();
    if (e.matches('button, a, select') && (box.width < 24 || box.height < 24)) complaints.push(`${label(e)} is ${box.width} by ${box.height} pixels`);
  }
  for (const e of document.querySelectorAll('img:not([alt])')) complaints.push(`${label(e)} has no alt`);
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) complaints.push(`the id ${id} is there twice`);
  for (const e of document.querySelectorAll('[aria-labelledby], [aria-describedby]')) {
    for (const id of `${e.getAttribute('aria-labelledby') || ''} ${e.getAttribute('aria-describedby') || ''}`.trim().split(/\s+/)) {
      if (!document.getElementById(id)) complaints.push(`${label(e)} refers to ${id}, which is not there`);
    }
  }
  if (!document.documentElement.lang) complaints.push('the page has no language');
  if (document.querySelectorAll('h1').length !== 1 || document.querySelectorAll('main').length !== 1) complaints.push('there is not one h1 and one main');
  if (document.documentElement.scrollWidth > innerWidth) complaints.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${innerWidth}`);

  // contrast
  const colour = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const behind = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      const c = colour(getComputedStyle(at).backgroundColor);
      layers.push(c);
      if (c.a === 1) break;
    }
    return layers.reduceRight((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const wood = { r: 209, g: 155, b: 81, a: 1 }; // the darkest of the board
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !shown(e) || e.closest('option, .hidden, .skip, script, title, .stones, .preview, .marks') || e.closest(':disabled')) continue;
    const style = getComputedStyle(e);
    const inBoard = e.closest('#board');
    const ratio = contrast(over(colour(inBoard ? style.fill : style.color), inBoard ? wood : behind(e)), inBoard ? wood : behind(e));
    if (ratio < 4.5) complaints.push(`“${walker.currentNode.textContent.trim().slice(0, 30)}” in ${label(e)} has a contrast of ${ratio.toFixed(2)}`);
  }
  for (const e of scope.querySelectorAll('select, input[type=text]')) {
    if (!shown(e) || e.disabled) continue;
    const ratio = contrast(colour(getComputedStyle(e).color), behind(e));
    if (ratio < 4.5) complaints.push(`${label(e)} has a contrast of ${ratio.toFixed(2)}`);
  }
  return complaints;
})()
