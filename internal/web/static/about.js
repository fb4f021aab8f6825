// What the file is, and its layers.

import { svg } from './board.js';
import { make, isolate } from './player.js';
import { state, save } from './url.js';

const $ = (id) => document.getElementById(id);
const comma = (n) => BigInt(n).toLocaleString('en'); // large integers come as strings

function bytes(n) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  for (; n >= 1024 && i < units.length - 1; i++) n /= 1024;
  return `${i ? n.toPrecision(3) : comma(n)} ${units[i]}`;
}

export function fileView({ space }) {
  const name = space.layer;
  const layers = space.layers.map((l) => ({ layer: l[name], states: l.states }));
  const most = Math.max(1, ...layers.map((l) => l.states));
  const fits = (text) => text.length < 400;

  $('file-title').replaceChildren(make('bdi', {}, space.space));
  $('file-lead').textContent = `${comma(space.states)} positions can be reached from the start: all there are. `
    + `They are ${(100 * space.states / space.size).toPrecision(3)} % of the ${comma(space.size)} numbers of the space.`;
  const facts = {
    Space: [make('bdi', {}, space.space)],
    Start: space.start,
    States: comma(space.states),
    Store: `${space.store}: ${space.store_about}`,
    File: [make('bdi', {}, space.file), `, ${bytes(space.file_bytes)}`],
    'Bytes for each state': space.bytes_per_state.toPrecision(3),
    Format: `version ${space.format_version}`,
    Checksums: 'A CRC32C for each 64 KiB, compared when these are first read; reach check compares all of them',
  };
  $('facts').replaceChildren(...Object.entries(facts).filter(([, v]) => Array.isArray(v) || fits(v)).flatMap(([k, v]) => [make('dt', {}, k), make('dd', {}, ...[v].flat())]));
  $('layers-title').textContent = `States by ${name}`;
  $('layers-table').replaceChildren(
    make('tr', {}, make('th', { scope: 'col' }, name), make('th', { scope: 'col' }, 'states')),
    ...layers.map((l) => make('tr', {}, make('td', {}, String(l.layer)), make('td', {}, comma(l.states)))));

  const tell = (l) => `${comma(l.states)} ${l.states === 1 ? 'state' : 'states'} with ${name} ${l.layer}`;

  function draw() {
    const log = state.log === 'on';
    const box = $('histogram');
    const width = Math.max(280, box.clientWidth || 800);
    const height = Math.round(Math.min(300, Math.max(190, width * 0.36)));
    const [bottom, top] = [22, 20];
    const slot = width / layers.length;
    const share = (n) => (log ? (n ? (1 + Math.log10(n)) / (1 + Math.log10(most)) : 0) : n / most);
    const chart = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'group', 'aria-label': `Histogram of the states by ${name}` });
    const label = svg('text', { x: 0, y: 14, class: 'value' });
    layers.forEach((l, i) => {
      const h = Math.max(l.states ? 1.5 : 0, share(l.states) * (height - bottom - top));
      const w = Math.max(1, slot * 0.78);
      const x = i * slot + (slot - w) / 2;
      const bar = svg('g', { class: 'column', tabindex: i === 0 ? 0 : -1, role: 'img', 'aria-label': tell(l) },
        svg('rect', { x: i * slot, y: 0, width: slot, height: height - bottom, class: 'touch' }),
        svg('rect', { x, y: height - bottom - h, width: w, height: h, rx: Math.min(3, w / 3), class: 'bar' }));
      const show = () => {
        $('layer-told').textContent = tell(l);
        label.textContent = comma(l.states);
        label.setAttribute('text-anchor', x < width / 5 ? 'start' : x > 4 * width / 5 ? 'end' : 'middle');
        label.setAttribute('x', Math.min(width, Math.max(0, x + w / 2)));
        label.setAttribute('y', height - bottom - h - 6);
      };
      bar.addEventListener('pointerenter', show);
      bar.addEventListener('focus', () => {
        chart.querySelectorAll('.column').forEach((el) => el.setAttribute('tabindex', -1));
        bar.setAttribute('tabindex', 0);
        show();
      });
      bar.addEventListener('keydown', (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const next = by && chart.querySelectorAll('.column')[i + by];
        if (next) {
          event.preventDefault();
          next.focus();
        }
      });
      chart.append(bar);
      const every = Math.ceil(26 / slot);
      if (i % every === 0) chart.append(svg('text', { x: x + w / 2, y: height - 6, 'text-anchor': 'middle', class: 'tick' }, String(l.layer)));
    });
    chart.append(label);
    box.replaceChildren(chart);
  }

  $('log').addEventListener('change', () => {
    save({ log: $('log').checked ? 'on' : 'off' });
    draw();
  });
  let drawn = 0;
  new ResizeObserver(() => {
    const width = $('histogram').clientWidth;
    if (width && width !== drawn) {
      drawn = width;
      draw();
    }
  }).observe($('histogram'));

  return {
    enter() {
      document.title = `${isolate(space.space)} – Pagoda`;
      $('log').checked = state.log === 'on';
      draw();
    },
    leave() {},
    key: () => false,
  };
}
