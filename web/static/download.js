// Pictures to keep: SVG and PNG are made here, from boards of the page; GIF and animated SVG come from the API.

import { make } from './dom.js';
import { request } from './home.js';
import { theme } from './player.js';

const NS = 'http://www.w3.org/2000/svg';
const CELL = 40; // of boards
const [GAP, EDGE] = [16, 24]; // between boards and around them
const FONT = 'Helvetica, Arial, sans-serif'; // which is everywhere, or something like it
const [LEAST, MOST] = [8, 80]; // the size of a cell that the API takes

export const KINDS = { png: 'PNG', svg: 'SVG', gif: 'GIF', film: 'Animated SVG' };
export const SIZES = { small: 600, medium: 1200, large: 2400, poster: 4000 }; // the longer side, in pixels

// What a style says by attributes: their values where nothing is said. But for opacity, children inherit them.
const PLAIN = {
  fill: '#000000', stroke: 'none', 'stroke-width': '1', 'stroke-dasharray': 'none', 'stroke-linecap': 'butt', 'stroke-linejoin': 'miter', 'paint-order': 'normal',
  'font-size': '', 'font-weight': '', 'text-anchor': 'start', opacity: '1',
};
const PAINTS = ['fill', 'stroke'];

// paint returns a colour as programs read it that know little of CSS: none if it is transparent. Boards have none that
// is so in part.
function paint(value) {
  const [, kind, list] = /^(rgba?|color)\((?:srgb )?(.*)\)$/.exec(value) ?? [];
  if (!kind) return value;
  const [r, g, b, alpha = 1] = list.split(/[\s,/]+/).map(Number);
  const hex = [r, g, b].map((n) => Math.round(kind === 'color' ? 255 * n : n).toString(16).padStart(2, '0')).join('');
  return alpha ? `#${hex}` : 'none';
}

// A Copier copies boards with their styles as attributes. Elements of the same kind in the same place have one style.
class Copier {
  constructor() { this.styles = new Map(); }

  style(el, above) {
    const said = Object.keys(PLAIN).filter((name) => el.hasAttribute(name)).map((name) => `${name}=${el.getAttribute(name)}`);
    const key = `${above.key}/${el.localName}.${el.getAttribute('class') ?? ''} ${el.getAttribute('style') ?? ''} ${said}`;
    if (!this.styles.has(key)) {
      const computed = getComputedStyle(el);
      const values = Object.fromEntries(Object.keys(PLAIN).map((name) => [name, computed.getPropertyValue(name).replace(/px\b/g, '')]));
      for (const name of PAINTS) values[name] = paint(values[name]);
      this.styles.set(key, { key, values, gone: computed.display === 'none', middle: computed.dominantBaseline === 'central' });
    }
    return this.styles.get(key);
  }

  copy(el, above) {
    const style = this.style(el, above);
    if (style.gone) return [];
    const made = document.createElementNS(NS, el.localName === 'svg' ? 'g' : el.localName);
    for (const { name, value } of el.attributes) {
      if (!/^(class|style|id|role|tabindex|viewBox|aria-.*|data-.*)$/.test(name) && !Object.hasOwn(PLAIN, name)) made.setAttribute(name, value);
    }
    const isText = el.localName === 'text';
    for (const [name, value] of Object.entries(style.values)) {
      if (name.startsWith('font') ? isText : value !== (name === 'opacity' ? '1' : above.values[name])) made.setAttribute(name, value);
    }
    if (isText) {
      made.setAttribute('font-family', FONT);
      if (style.middle) made.setAttribute('dy', '0.35em'); // few programs know the baseline in the middle
      made.textContent = el.textContent;
    } else if (el.children.length || made.localName === 'g') {
      made.append(...[...el.children].flatMap((child) => this.copy(child, style)));
      if (!made.children.length) return [];
    }
    const seen = made.localName === 'g' || PAINTS.some((name) => style.values[name] !== 'none');
    return seen ? [made] : [];
  }
}

const sizeOf = (board) => board.getAttribute('viewBox').split(' ').map(Number);

// place lays boards out in rows, and returns the size of all.
function place(rows) {
  let [wide, high] = [0, EDGE];
  const places = rows.map((row) => {
    let [x, most] = [EDGE, 0];
    const at = row.map((board) => {
      const [, , width, height] = sizeOf(board);
      const here = { board, x, y: high };
      x += width + GAP;
      most = Math.max(most, height);
      return here;
    });
    wide = Math.max(wide, x - GAP + EDGE);
    high += most + GAP;
    return { at, width: x - GAP + EDGE };
  });
  return { places, width: wide, height: high - GAP + EDGE };
}

// pixels returns the width and the height of a picture of rows of boards.
export function pixels(rows, size) {
  const { width, height } = place(rows);
  return [width, height].map((side) => Math.round(SIZES[size] * side / Math.max(width, height)));
}

// picture draws boards, the SVG elements of the page, as the text of an SVG file. Rows are in the middle.
export function picture(rows, { title = '', size = 'medium', colours = theme() } = {}) {
  const { places, width, height } = place(rows);
  const [w, h] = pixels(rows, size);
  const whole = document.createElementNS(NS, 'svg');
  for (const [name, value] of Object.entries({ width: w, height: h, viewBox: `0 0 ${width} ${height}` })) whole.setAttribute(name, value);
  const [called, ground] = ['title', 'rect'].map((name) => document.createElementNS(NS, name));
  called.textContent = title;
  whole.append(called, ground);
  // Styles are those of copies that stand aside, in the colours that are wanted.
  const aside = make('div', { class: 'aside', 'aria-hidden': 'true' });
  aside.style.setProperty('color-scheme', colours);
  document.body.append(aside);
  try {
    for (const [name, value] of Object.entries({ width, height, fill: paint(getComputedStyle(aside).backgroundColor) })) ground.setAttribute(name, value);
    const copier = new Copier();
    for (const { board, x, y, shift } of places.flatMap(({ at, width: own }) => at.map((one) => ({ ...one, shift: (width - own) / 2 })))) {
      const still = board.cloneNode(true);
      aside.replaceChildren(still);
      const [left, top] = sizeOf(board);
      for (const made of copier.copy(still, { key: '', values: PLAIN })) {
        made.setAttribute('transform', `translate(${x + shift - left} ${y - top})`);
        whole.append(made);
      }
    }
  } finally {
    aside.remove();
  }
  return new XMLSerializer().serializeToString(whole);
}

async function png(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = make('canvas', { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext('2d').drawImage(image, 0, 0);
  const blob = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  if (!blob) throw new Error('This browser cannot make so large a PNG. Choose a smaller size, or SVG.');
  return blob;
}

// played gets a file in which the boards are played.
async function played(path) {
  const response = await request(path);
  if (!response.ok) throw new Error((await response.json()).error);
  return response.blob();
}

// save saves a picture of what a view shares: { name, title, rows, films }.
export async function save({ name, title, rows, films }, { kind = 'png', size = 'medium', colours = theme() } = {}) {
  let blob;
  if (kind === 'svg' || kind === 'png') {
    const svg = picture(rows(), { title, size, colours });
    blob = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await png(svg);
  } else {
    const { width, height } = place(rows());
    const cell = Math.round(Math.max(LEAST, Math.min(MOST, SIZES[size] * CELL / Math.max(width, height))));
    blob = await played(films({ size: cell, theme: colours })[kind]);
  }
  const link = make('a', { href: URL.createObjectURL(blob), download: `pagoda-${name}${kind === 'film' ? '-played.svg' : `.${kind}`}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
