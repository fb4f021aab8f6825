// The panel after a win, in every game: a celebration, stars, a sentence, and what comes next.

import { svg } from './board.js';
import { calm, make } from './dom.js';
import { site } from './home.js';
import { elapsed, stopClock } from './level.js';
import { say } from './language.js';
import { flush } from './url.js';

const STAR = 'M12 1.8l3.1 6.4 7 1-5.1 4.9 1.2 7L12 17.8l-6.2 3.3 1.2-7L1.9 9.2l7-1z';
const LIGHTS = 56; // pieces of light
const COLOURS = 5; // of them

// A Finish belongs to the section of a view.
export class Finish {
  constructor(view, { again, toast }) {
    this.view = view;
    this.toast = toast;
    this.key = null; // of the win that is shown: each win opens the panel once
    this.level = null; // what the site knows of it
    this.end = null;
    this.title = make('h2', {});
    this.stars = make('div', { class: 'finish-stars', role: 'img' }, ...[0, 1, 2].map(() => svg('svg', { viewBox: '0 0 24 24' }, svg('path', { d: STAR }))));
    this.told = make('p', { class: 'finish-told' });
    this.pack = make('a', { class: 'small finish-pack' });
    this.next = make('a', { class: 'button primary', onclick: (event) => this.follow(event) }, 'Next level');
    this.on = make('button', { type: 'button', class: 'primary', onclick: () => this.close() }, 'Go on');
    this.like = make('a', { class: 'button' }, 'More like this');
    this.again = make('button', { type: 'button', onclick: again }, 'Play again');
    this.copy = make('button', { type: 'button', class: 'finish-copy', onclick: () => this.share() }, 'Copy link');
    const picture = make('button', { type: 'button', class: 'share' }, 'Picture');
    this.el = make('section', { class: 'finish', 'aria-label': 'Solved', hidden: '' },
      make('button', { type: 'button', class: 'quiet finish-close', 'aria-label': 'Close', title: 'Close (Esc)', onclick: () => this.close() }, '×'),
      this.title, this.stars, this.told, this.pack, make('div', { class: 'actions' }, this.next, this.on, this.like, this.again, this.copy, picture));
    view.querySelector('.felt').after(this.el);
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.el.hidden && !view.hidden) this.close();
    });
  }

  // show says that a game is won. A win has
  //
  //   key           what tells it from others
  //   id            of the puzzle, as results are kept
  //   title, told   a heading, and one sentence
  //   stars         how many, or null if none are given
  //   moves         of the result
  //   next          { title, run } of the puzzle after it, or null; what a site knows comes first
  //   goesOn        reports whether this game can go on
  //   fresh         it was won here and now, by hand; after, a promise, ends when the last piece has come to rest
  show(end) {
    this.end = end;
    const isNew = this.key !== end.key;
    this.key = end.key;
    if (isNew) {
      this.level = null;
      this.el.hidden = true;
      if (end.fresh) stopClock();
      this.learn(end);
    }
    this.fill();
    if (!isNew) return;
    if (end.fresh && !calm.matches) Promise.resolve(end.after).then(() => this.open(end));
    else this.open(end);
  }

  // learn asks the site which level this is.
  async learn({ key, id, fresh, stars, moves }) {
    const level = await Promise.resolve(site?.level?.(id)).catch(() => null);
    if (!level || this.key !== key) return;
    this.level = level;
    if (fresh && stars !== null) level.won(moves);
    this.fill();
  }

  // result is the result as a text to share, if it is that of the puzzle of a day, without help.
  result() {
    const { stars, moves } = this.end;
    return stars === null ? null : this.level?.share(moves, elapsed()) ?? null;
  }

  fill() {
    const { title, told, stars, next, goesOn } = this.end;
    this.title.textContent = title;
    this.told.textContent = told;
    this.stars.hidden = stars === null;
    this.stars.setAttribute('aria-label', `${stars ?? 0} of 3 stars`);
    [...this.stars.children].forEach((el, i) => el.classList.toggle('earned', i < stars));
    const { level } = this;
    const after = level?.next ?? next;
    this.next.hidden = !after;
    this.next.href = level?.next?.href ?? '#';
    this.next.title = after?.title ?? '';
    this.on.hidden = !goesOn;
    this.on.classList.toggle('primary', !after);
    this.pack.hidden = !level;
    if (level) {
      const days = level.day ? level.streak() : 0;
      this.pack.textContent = level.late ? `${level.name}: played late, it does not count` : days > 1 ? `${level.name}: ${days} days in a row` : level.day ? level.name : `Level ${level.number} of ${level.count}: ${level.pack}`;
      this.pack.href = level.all;
    }
    this.like.hidden = !level?.like || level.like.href === level.next?.href;
    this.like.href = level?.like?.href ?? '#';
    this.like.title = level?.like?.title ?? '';
    this.copy.textContent = this.result() ? 'Share' : 'Copy link';
  }

  open({ key, fresh }) {
    if (this.key !== key || !this.el.hidden) return;
    this.el.hidden = false;
    if (!fresh) return;
    if (!calm.matches) {
      const board = this.view.querySelector('.board');
      celebrate(board);
      this.el.animate([{ opacity: 0, transform: 'translateY(14px)' }, { opacity: 1, transform: 'none' }], { duration: 260, easing: 'ease-out' });
      this.stars.querySelectorAll('.earned').forEach((el, i) => {
        el.animate([{ opacity: 0, transform: 'scale(0.2) rotate(-70deg)' }, { opacity: 1, transform: 'scale(1.35) rotate(6deg)', offset: 0.65 }, { opacity: 1, transform: 'none' }],
          { duration: 420, delay: 240 + 260 * i, fill: 'backwards', easing: 'ease-out' });
      });
    }
    this.el.scrollIntoView({ block: 'nearest' });
    // Who plays on this board goes on from here; who has gone to something else meanwhile stays there.
    setTimeout(() => {
      const focused = document.activeElement;
      if (this.el.hidden || focused && focused !== document.body && !focused.closest('.game')) return;
      [this.next, this.on, this.again].find((el) => !el.hidden).focus({ preventScroll: true });
    }, calm.matches ? 0 : 600);
  }

  // close lets the board be looked at. Only another win opens the panel again.
  close() {
    const had = this.el.contains(document.activeElement);
    this.el.hidden = true;
    if (had) (this.view.querySelector('.board [tabindex="0"]') ?? this.view.querySelector('h1')).focus({ preventScroll: true });
  }

  // hide is for a game that is not won.
  hide() {
    if (this.key === null) return;
    this.close();
    this.key = null;
  }

  follow(event) {
    if (this.level?.next) return; // a link
    event.preventDefault();
    this.end.next.run();
  }

  async share() {
    flush();
    const result = this.result();
    const text = result && await say(result);
    try {
      if (text && navigator.share) await navigator.share({ text });
      else {
        await navigator.clipboard.writeText(text ?? location.href);
        this.toast(text ? 'The result is copied.' : 'The link is copied.');
      }
    } catch (err) {
      if (err.name !== 'AbortError') this.toast(text ?? 'Copy it from the address bar: the browser does not allow it here.');
    }
  }
}

// celebrate lets pieces of light burst from a board and fall.
function celebrate(board) {
  const { left, top, width, height } = board.getBoundingClientRect();
  const sky = make('div', { class: 'lights', 'aria-hidden': 'true' });
  const lights = Array.from({ length: LIGHTS }, (_, i) => {
    const el = make('span', { class: `light-${i % COLOURS} ${i % 3 ? 'round' : 'square'}` });
    const turn = 2 * Math.PI * (i + Math.random()) / LIGHTS;
    const far = Math.min(width, height) * (0.3 + 0.5 * Math.random());
    const [x, y] = [left + width / 2, top + height / 2];
    const [dx, dy] = [far * Math.cos(turn), far * Math.sin(turn) - 0.2 * height];
    const at = (u, v, scale, spin) => `translate(${x + u}px, ${y + v}px) scale(${scale}) rotate(${spin}deg)`;
    const spin = 360 * (Math.random() - 0.5);
    sky.append(el);
    const size = 0.6 + 0.8 * Math.random();
    return el.animate([
      { transform: at(0, 0, 0.2, 0), opacity: 1, easing: 'cubic-bezier(0.1, 0.7, 0.4, 1)' },
      { transform: at(dx, dy, size, spin), opacity: 1, offset: 0.4, easing: 'cubic-bezier(0.5, 0, 0.9, 0.6)' },
      { transform: at(1.3 * dx, dy + 0.8 * height, 0.7 * size, 3 * spin), opacity: 0 },
    ], { duration: 1150 + 350 * Math.random(), fill: 'both' }).finished;
  });
  document.body.append(sky);
  Promise.allSettled(lights).then(() => sky.remove());
}
