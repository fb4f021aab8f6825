// A solution of a tray, shown on its board step by step.

import { svg } from './board.js';
import { make } from './dom.js';
import { Player } from './player.js';
import { CELL, STEPS, outline, spell, walked, wayArrow } from './shapes.js';
import { GAP, Tray, block, called, frame, ground, heart, looks, partsOf, rails, rods, shift, targets } from './tray.js';

// Steps shows moves on a board: transport has its controls, list a line for each move, and caption says which is next.
export class Steps {
  constructor({ transport, list, caption }) {
    Object.assign(this, { list, caption });
    this.el = frame({ rows: 1, cols: 1 }, { class: 'board tray', role: 'img', 'aria-label': 'The tray' });
    this.player = new Player(transport);
  }

  // load takes a board, as boardOf makes it, and moves as the server has them: they are shown from the start.
  load(board, moves, unit) {
    const tray = new Tray(board);
    const colours = looks(board);
    this.tray = tray;
    this.el.setAttribute('viewBox', frame(board, {}).getAttribute('viewBox'));
    const marks = targets(board);
    this.joints = board.pieces.map((p, i) => svg('g', { class: `k${colours[i]}` }, ...rods(p.cells)));
    this.blocks = board.pieces.map((p, i) => svg('g', { class: `block k${colours[i]}` }, ...block(board, i, p.cells), svg('path', { d: outline(p.cells, { top: GAP + 0.5 }), class: 'ring' })));
    this.arrow = svg('g', { class: 'marks' });
    this.el.replaceChildren(ground(board, marks), ...this.joints, ...this.blocks, ...rails(board),
      svg('g', { class: 'marks' }, ...marks.map((t) => svg('path', { d: outline(t.cells, { top: 0.1 * CELL }), class: 'bracket' }))), this.arrow);
    const jumps = moves.map(({ pieces, path }) => ({ set: [...pieces].map((name) => tray.names.indexOf(name)), path, text: `${called(tray, pieces)} ${spell(path)}` }));
    const positions = [tray.begin];
    for (const { set, path } of jumps) positions.push([...path].reduce((at, way) => tray.after(at, set, way), positions.at(-1)));
    this.ends = `Solved in ${jumps.length} ${jumps.length === 1 ? unit.replace(/s$/, '') : unit}.`;
    this.jumps = jumps;
    this.buttons = jumps.map(({ text }, i) => make('button', { type: 'button', onclick: () => this.player.seek(i, false) }, text));
    this.list.replaceChildren(...this.buttons.map((el) => make('li', {}, el)));
    this.step = null;
    this.player.load([{ board: this, positions, jumps }], 0);
  }

  // show draws a position, or with a move the share of it. It is for the player.
  show(position, move = null, share = 0) {
    const [dy, dx] = move ? walked(move.path, share * move.path.length) : [0, 0];
    position.forEach(([r, c], i) => {
      const goes = move?.set.includes(i);
      for (const el of [this.joints[i], this.blocks[i]]) shift(el, (c + (goes ? dx : 0)) * CELL, (r + (goes ? dy : 0)) * CELL);
      this.blocks[i].classList.toggle('hinted', Boolean(goes));
    });
    this.arrow.replaceChildren();
    if (move && !this.player.running) {
      const points = [heart(partsOf(this.tray.cellsOf(position, move.set[0]))[0])];
      for (const way of move.path) points.push([points.at(-1)[0] + STEPS[way][0], points.at(-1)[1] + STEPS[way][1]]);
      this.arrow.append(...wayArrow(points));
    }
    this.tell(Math.floor(this.player.at));
  }

  // tell says which move comes next.
  tell(step) {
    if (this.step === step) return;
    this.step = step;
    const next = this.jumps[step];
    this.caption.setAttribute('aria-live', this.player.playing ? 'off' : 'polite');
    this.caption.textContent = next ? `Move ${step + 1} of ${this.jumps.length}: ${next.text}` : this.ends;
    this.buttons.forEach((el, i) => {
      if (i === step) el.setAttribute('aria-current', 'step');
      else el.removeAttribute('aria-current');
    });
    const line = this.buttons[Math.min(step, this.buttons.length - 1)]?.parentElement;
    if (line) this.list.scrollTop = line.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }
}
