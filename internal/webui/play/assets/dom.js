// Elements are built one by one: nothing that a file or an engine is called can become markup.

const svgSpace = 'http://www.w3.org/2000/svg';

export const $ = (id) => document.getElementById(id);

// fill gives an element its attributes and children. Functions are listeners, true is an empty attribute.
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(svgSpace, tag), attributes, children);

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

let toastTimer = 0;

// toast shows a message for some seconds.
export function toast(text) {
  $('toast').textContent = text;
  $('toast').hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $('toast').hidden = true; }, 6000);
}

// onKeys calls the function of a key, unless somebody types.
export function onKeys(keys) {
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input:not([type=checkbox]), select, dialog, textarea');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!keys[key]) return;
    event.preventDefault();
    keys[key]();
  });
}

// onFile hands the file that is chosen to a function.
export function onFile(id, load) {
  $(id).addEventListener('change', async () => {
    const [file] = $(id).files;
    if (file) await load(file);
    $(id).value = '';
  });
}
