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
