// How it works: what computes, what was found, and its layers.

import { svg } from './board.js';
import { $, comma, make } from './dom.js';
import { site } from './home.js';
import { state, save } from './url.js';

function bytes(n) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  for (; n >= 1024 && i < units.length - 1; i++) n /= 1024;
  return `${i ? n.toPrecision(3) : comma(n)} ${units[i]}`;
}

export function fileView({ space }) {
  let whole = null; // all that is known of the puzzle, when it has been computed
  let layers = [];
  let most = 1;
  let name = '';
  let panel = null; // of a site, that computes

  // computed shows what was found.
  function computed(found) {
    if (whole === found) return;
    whole = found;
    name = whole.layer;
    layers = whole.layers.map((l) => ({ layer: l[name], states: l.states }));
    most = Math.max(1, ...layers.map((l) => l.states));
    $('file-whole').hidden = false;
    $('file-title').replaceChildren(whole.title?.replace(/^./u, (first) => first.toUpperCase()) || make('bdi', { translate: 'no' }, whole.space));
    $('file-told').textContent = `${comma(whole.states)} ${whole.states === 1 ? 'position' : 'positions'} can be reached from the start: all there are. `
      + `They are ${(100 * whole.states / whole.size).toPrecision(3)} % of the ${comma(whole.size)} numbers of the space.`;
    const facts = {
      Space: [make('bdi', { translate: 'no' }, whole.space)],
      Start: [make('span', { translate: 'no' }, whole.start)],
      Positions: comma(whole.states),
      Store: `${whole.store}: ${whole.store_about}`,
      File: site ? bytes(whole.file_bytes) : [make('bdi', { translate: 'no' }, whole.file), `, ${bytes(whole.file_bytes)}`],
      'Bytes for each position': whole.bytes_per_state.toPrecision(3),
      Format: `version ${whole.format_version}`,
      ...(!site && { Checksums: 'A CRC32C for each 64 KiB, compared when these are first read; reach check compares all of them' }),
    };
    $('facts').replaceChildren(...Object.entries(facts).filter(([k]) => k !== 'Start' || whole.start && whole.start.length < 400).flatMap(([k, v]) => [make('dt', {}, k), make('dd', {}, ...[v].flat())]));
    $('layers-title').textContent = `Positions by ${name}`;
    $('layers-table').replaceChildren(
      make('tr', {}, make('th', { scope: 'col' }, name), make('th', { scope: 'col' }, 'positions')),
      ...layers.map((l) => make('tr', {}, make('td', {}, String(l.layer)), make('td', {}, comma(l.states)))));
    if (!$('file').hidden) draw();
  }

  const tell = (l) => `${comma(l.states)} ${l.states === 1 ? 'position' : 'positions'} with ${name} ${l.layer}`;

  function draw() {
    if (!whole) return;
    const log = state.log === 'on';
    const box = $('histogram');
    const width = Math.max(280, box.clientWidth || 800);
    const height = Math.round(Math.min(300, Math.max(190, width * 0.36)));
    const [bottom, top] = [22, 20];
    const slot = width / layers.length;
    const share = (n) => (log ? (n ? (1 + Math.log10(n)) / (1 + Math.log10(most)) : 0) : n / most);
    const chart = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'group', 'aria-label': `Histogram of the positions by ${name}` });
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
      document.title = 'How it works – Pagoda';
      $('log').checked = state.log === 'on';
      draw();
      if (!panel) panel = site?.panel($('file-compute'));
      if (whole || !space) return;
      if (space.states !== undefined) computed(space);
      else site.whole().then(computed, () => {}); // the panel says why not
    },
    computed,
  };
}
