// The variations of a game: a tree of moves. The program knows one line of it; the page keeps the others.

import { el } from './dom.js';
import { marks } from './review.js';

let changes = 0; // of all trees: their moves, the order of these, and what is said of them

// Node is a move of the tree; the root has none. The first child goes on with the main line.
export class Node {
  constructor(move = null, parent = null) {
    this.move = move;
    this.parent = parent;
    this.ply = parent ? parent.ply + 1 : 0;
    this.children = [];
    this.judged = null; // what is thought of the position after the move
    this.note = null; // what a review found about the move
  }

  child(move) { return this.children.find((c) => c.move === move); }

  // follow returns the nodes of the moves from here on, adding those that are new.
  follow(moves) {
    const nodes = [this];
    for (const move of moves) {
      const at = nodes.at(-1);
      let next = at.child(move);
      if (!next) {
        next = new Node(move, at);
        at.children.push(next);
        changes++;
      }
      nodes.push(next);
    }
    return nodes;
  }

  // path returns the moves that lead here.
  path() { return this.parent ? [...this.parent.path(), this.move] : []; }

  // line returns the moves that lead here and the main line from here.
  line() {
    const moves = this.path();
    for (let at = this; at.children.length; at = at.children[0]) moves.push(at.children[0].move);
    return moves;
  }

  // isMain reports whether the main line leads here.
  isMain() { return !this.parent || (this.parent.children[0] === this && this.parent.isMain()); }

  // promote makes the way here part of the main line.
  promote() {
    changes++;
    for (let at = this; at.parent; at = at.parent) {
      const { children } = at.parent;
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
  }

  remove() {
    changes++;
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
  }

  remark(note) {
    changes++;
    this.note = note;
  }

  // branches reports whether there is more than one line from here on.
  branches() {
    for (let at = this; at.children.length; at = at.children[0]) if (at.children.length > 1) return true;
    return false;
  }

  // kept returns the tree as plain lists, and Node.from the tree of such lists.
  kept() { return [this.move, ...this.children.map((c) => c.kept())]; }

  static from([move, ...children], parent = null) {
    const node = new Node(move, parent);
    node.children = children.map((c) => Node.from(c, node));
    return node;
  }
}

// drawTree lists the moves of a tree, unless they stand there already. nodes are those of the game's line, ply the number of moves on the
// board; name returns a cell as the board's labels have it, and go goes to a node.
export function drawTree(list, tree, nodes, ply, name, go) {
  const now = nodes[ply];
  const notation = name('a1');
  if (list.now === now && list.changes === changes && list.notation === notation) return;
  Object.assign(list, { now, changes, notation });
  list.replaceChildren(...moveItems(tree, new Set(nodes.slice(0, ply + 1)), now, name, go));
  const button = list.querySelector('[aria-current=true]');
  if (button) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight + button.offsetHeight;
}

// moveItems returns the list items of the moves after a node, variations indented below the move that they replace.
// onBoard holds the nodes of the moves on the board.
function moveItems(node, onBoard, now, name, go) {
  const items = [];
  for (let at = node; at.children.length; at = at.children[0]) {
    const [main, ...others] = at.children;
    items.push(moveItem(main, onBoard, now, name, go));
    for (const other of others) {
      items.push(el('li', { class: 'variation' }, el('ol', { class: 'moves', 'aria-label': `Variation of move ${other.ply}` },
        moveItem(other, onBoard, now, name, go), ...moveItems(other, onBoard, now, name, go))));
    }
  }
  return items;
}

function moveItem(node, onBoard, now, name, go) {
  const verdict = node.note?.verdict;
  return el('li', {}, el('button', {
    type: 'button', class: onBoard.has(node) ? '' : 'undone', 'aria-current': node === now ? 'true' : 'false', click: () => go(node),
    'data-mark': marks[verdict],
  }, el('span', { class: 'n' }, String(node.ply)), name(node.move), verdict && el('span', { class: 'hidden' }, `, ${verdict}`)));
}
