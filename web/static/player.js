// Playing solutions: boards that take the same steps at once, and their controls.

import { svg, thumbnail } from './board.js';
import { calm, make } from './dom.js';
import { state } from './url.js';

const STEP = 440; // milliseconds for a jump
const FLIGHT = 0.72; // the share of them in which the peg is in the air

// theme is the colours in which pictures are downloaded: those of the page.
export const theme = () => (state.theme === 'dark' || state.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

const shapes = {
  start: 'M5 4h3v16H5zM20 4v16L9 12z',
  back: 'M17 4v16L6 12z',
  play: 'M7 3v18l14-9z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  forward: 'M7 4v16l11-8z',
  end: 'M16 4h3v16h-3zM4 4v16l11-8z',
};

const icon = (name) => svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d: shapes[name] }));

// track makes one of a board, a start, and the moves from there as the API has them.
export function track(board, start, moves) {
  const jumps = moves.map((m) => board.shape.jump(m));
  const positions = [start];
  for (const j of jumps) positions.push(board.shape.after(positions.at(-1), j));
  return { board, positions, jumps };
}

// strip draws the jumps of a track, one after another.
export const strip = (shape, { positions, jumps }) => jumps.map((j, i) => ({ board: thumbnail(shape, positions[i], j), text: `${shape.tell(j.from)}–${shape.tell(j.to)}` }));

// A Player plays tracks: a board, its positions, and the jumps between them.
export class Player {
  // told is called with the step when it rests, and sped with the speed when it is chosen.
  constructor(root, { told = () => {}, sped = () => {} } = {}) {
    this.tracks = [];
    this.at = this.target = this.total = 0;
    this.speed = 1;
    this.told = told;
    const button = (name, label, run) => make('button', { type: 'button', class: `tool ${name}`, 'aria-label': label, title: label, onclick: run }, icon(name));
    this.toggleButton = button('play', 'Play the jumps', () => this.toggle());
    this.range = make('input', {
      type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': 'Step', oninput: () => this.seek(Number(this.range.value), false),
    });
    this.count = make('output', { class: 'count', 'aria-live': 'off' });
    this.select = make('select', { 'aria-label': 'Speed', onchange: () => { this.speed = Number(this.select.value); sped(this.speed); } },
      ...[0.5, 1, 2, 4].map((v) => make('option', { value: v }, `${v}×`.replace('0.5', '½'))));
    this.setSpeed(1);
    root.replaceChildren(
      make('div', { class: 'tools' },
        button('start', 'To the start', () => this.seek(0, false)),
        button('back', 'One step back', () => this.step(-1)),
        this.toggleButton,
        button('forward', 'One step forward', () => this.step(1)),
        button('end', 'To the end', () => this.seek(this.total, false))),
      make('div', { class: 'scrub' }, this.range, this.count, this.select));
  }

  setSpeed(speed) {
    this.speed = speed;
    this.select.value = String(speed);
  }

  // load takes new tracks and shows a step of them.
  load(tracks, step = Infinity) {
    this.tracks = tracks;
    this.total = Math.max(0, ...tracks.map((t) => t.jumps.length));
    this.range.max = this.total;
    this.at = this.target = Math.max(0, Math.min(this.total, step));
    this.running = false;
    this.draw();
    this.tell();
  }

  // replace takes other tracks, and goes on: as far from their end as before, as they end together.
  replace(tracks) {
    const total = Math.max(0, ...tracks.map((t) => t.jumps.length));
    const keep = (at) => (at === 0 ? 0 : Math.max(0, at + total - this.total));
    [this.tracks, this.at, this.target, this.total] = [tracks, keep(this.at), keep(this.target), total];
    this.range.max = total;
    this.draw();
    this.tell();
  }

  get playing() { return this.running && this.target === this.total && !this.stepping; }

  seek(step, animate) {
    this.target = Math.max(0, Math.min(this.total, step));
    this.stepping = true;
    if (animate && !calm.matches) {
      this.run();
      return;
    }
    this.at = this.target;
    this.halt();
  }

  step(by) {
    const from = this.running && this.stepping ? this.target : by > 0 ? Math.floor(this.at) : Math.ceil(this.at);
    this.seek(from + by, true);
  }

  toggle() {
    if (this.playing) {
      this.seek(Math.ceil(this.at), true);
      return;
    }
    this.play();
  }

  play() {
    if (this.at >= this.total) this.at = 0;
    this.target = this.total;
    this.stepping = false;
    this.run();
  }

  run() {
    const already = this.running;
    this.running = true;
    this.tell();
    if (already) return;
    let before = performance.now();
    const frame = (now) => {
      if (!this.running) return;
      const by = Math.max(0, Math.min(now - before, 100)) * this.speed / STEP;
      before = now;
      this.at = this.at < this.target ? Math.min(this.target, this.at + by) : Math.max(this.target, this.at - by);
      if (this.at === this.target) {
        this.halt();
        return;
      }
      this.draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  halt() {
    this.running = false;
    this.draw();
    this.tell();
    this.told(this.at);
  }

  // pause stops where it is, at a whole jump.
  pause() {
    if (this.running) this.seek(Math.round(this.at), false);
  }

  // draw shows the tracks. They end together: those with fewer jumps begin later.
  draw() {
    const step = Math.floor(this.at);
    const share = calm.matches ? 0 : Math.min(1, (this.at - step) / FLIGHT);
    for (const { board, positions, jumps } of this.tracks) {
      const made = step - (this.total - jumps.length);
      if (made < 0 || made >= jumps.length) board.show(positions[Math.max(0, made)]);
      else board.show(positions[made], jumps[made], share);
    }
    if (step !== this.toldStep) this.tell();
  }

  tell() {
    const step = this.toldStep = Math.floor(this.at);
    this.range.value = step;
    this.range.setAttribute('aria-valuetext', `step ${step} of ${this.total}`);
    this.range.style.setProperty('--done', this.total ? `${100 * step / this.total}%` : '0%');
    this.count.textContent = `${step} / ${this.total}`;
    const playing = this.playing;
    if (this.toldPlaying === playing) return;
    this.toldPlaying = playing;
    this.toggleButton.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.toggleButton.setAttribute('aria-label', playing ? 'Pause' : 'Play the jumps');
    this.toggleButton.title = playing ? 'Pause' : 'Play the jumps';
  }
}
