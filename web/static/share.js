// Sharing: a link, a picture, print, and a frame for other pages. One dialog does that for every view.

import { make } from './dom.js';
import { KINDS, SIZES, picture, pixels, save } from './download.js';
import { site } from './home.js';
import { theme } from './player.js';
import { address, print } from './print.js';
import { flush } from './url.js';

const NAMES = { small: 'Small', medium: 'Medium', large: 'Large', poster: 'Poster' };

// busy runs something that may take a while: its button rests meanwhile, and what went wrong stays beside it.
async function busy(button, status, { doing, done = '' }, run) {
  const bar = make('progress', { 'aria-label': doing });
  button.disabled = true;
  status.className = 'small';
  status.replaceChildren(doing, ' ', bar);
  const unwatch = site?.watch(({ at, share }) => { // how far the engine is, if it has to compute first
    if (share !== null && at === 'computing') bar.value = share;
    else bar.removeAttribute('value');
  });
  try {
    await run();
    status.textContent = done;
  } catch (err) {
    status.className = 'small bad';
    status.textContent = err.message;
  } finally {
    unwatch?.();
    button.disabled = false;
  }
}

const choice = (name, label, values, chosen) => make('fieldset', { class: 'segments', name }, make('legend', { class: 'hidden' }, label),
  ...Object.entries(values).map(([value, text]) => make('label', {}, make('input', { type: 'radio', name, value, ...(value === chosen && { checked: '' }) }), make('span', {}, text))));

const part = (title, ...children) => make('section', {}, make('h3', {}, title), ...children);

// field shows a text that a button copies. Where a browser does not allow that, the text is selected.
function field(el, label, button) {
  const status = make('p', { class: 'small', role: 'status' });
  const copy = make('button', { type: 'button' }, button);
  el.setAttribute('aria-label', label);
  copy.addEventListener('click', async () => {
    el.select();
    try {
      await navigator.clipboard.writeText(el.value);
      status.textContent = 'Copied.';
    } catch {
      status.textContent = 'The browser does not allow to copy here. Copy the marked text with your keyboard.';
    }
  });
  return [make('div', { class: 'share-line' }, el, copy), status];
}

// pictures is the part that saves a picture.
function pictures(what) {
  const rows = what.rows();
  const image = make('img', { alt: 'The picture', class: 'share-picture' });
  const kinds = Object.fromEntries(Object.entries(KINDS).filter(([kind]) => what.films || !['gif', 'film'].includes(kind)));
  const size = make('select', { 'aria-label': 'Size' });
  const button = make('button', { type: 'button' }, 'Save');
  const status = make('p', { class: 'small', role: 'status' });
  const form = make('div', { class: 'share-choices' }, choice('share-kind', 'Kind of file', kinds, 'png'), size,
    choice('share-colours', 'Colours', { light: 'Light', dark: 'Dark' }, theme()), button);
  const chosen = (name) => form.querySelector(`input[name=${name}]:checked`).value;
  function show() {
    const [kind, was] = [chosen('share-kind'), size.value || 'medium'];
    const told = (name) => (kind === 'gif' || kind === 'film' ? NAMES[name] : `${NAMES[name]}: ${pixels(rows, name).join(' × ')} pixels`);
    size.replaceChildren(...Object.keys(SIZES).map((name) => make('option', { value: name }, told(name))));
    size.value = was;
    image.src = `data:image/svg+xml,${encodeURIComponent(picture(rows, { size: 'small', colours: chosen('share-colours') }))}`;
  }
  form.addEventListener('change', show);
  button.addEventListener('click', () => busy(button, status, { doing: 'The picture is being made…', done: 'Saved.' },
    () => save(what, { kind: chosen('share-kind'), size: size.value, colours: chosen('share-colours') })));
  show();
  return part('A picture', image, form, status);
}

// paper is the part that prints.
function paper(what, close) {
  const wish = make('input', { type: 'checkbox' });
  const button = make('button', { type: 'button' }, 'Print…');
  const status = make('p', { class: 'small', role: 'status' });
  button.addEventListener('click', () => busy(button, status, { doing: 'The solution is being worked out…' }, async () => {
    const solutions = wish.checked ? await what.solutions() : [];
    close();
    print(solutions);
  }));
  return part('On paper', make('div', { class: 'share-choices' }, ...(what.solutions ? [make('label', { class: 'check' }, wish, ' With the solution')] : []), button), status);
}

// frame is the part that shows the code for a frame on another page.
function frame({ title, rows, frame: rest }) {
  const [w, h] = pixels(rows(), 'small');
  const width = w > 1.5 * h ? 640 : 420;
  const height = Math.round(Math.min(480, (width - 16) * h / w)) + rest;
  const at = new URL(address());
  at.searchParams.set('embed', '1');
  const el = make('iframe', { src: at.href, width, height, title, loading: 'lazy', frameborder: 0 });
  const code = make('textarea', { rows: 5, readonly: '', translate: 'no', spellcheck: 'false' });
  code.value = el.outerHTML;
  return part('On your page', make('p', { class: 'small' }, 'This code puts it into a page of yours, with a link back.'), ...field(code, 'The code of the frame', 'Copy the code'));
}

// open shows what can be done with what a view shares:
//
//   title, name                 for people and for files
//   source                      where the puzzle is from, such as its level; may be absent
//   rows()                      the boards, SVG elements, in rows; absent: there is no picture
//   films({ size, theme })      addresses of pictures that move: { gif, film }; absent: there are none
//   letters, draw(letter), about, or
//   board(), goal, told         for print: the letters of a poster and what is said of it, or the board of a card
//   solutions()                 a promise of solutions as print takes them; absent: none can be printed
//   frame                       how high the counters and buttons of a frame are; absent: there is no frame for it
export function open(what) {
  flush(); // the address is that of what is shown
  const link = make('input', { type: 'text', readonly: '', translate: 'no', value: location.href });
  const close = make('button', { type: 'button', class: 'quiet', 'aria-label': 'Close' }, '✕');
  const dialog = make('dialog', { class: 'share-dialog', 'aria-labelledby': 'share-title' },
    make('div', { class: 'share-line' }, make('h2', { id: 'share-title' }, 'Share'), close),
    part('A link to this page', ...field(link, 'The link', 'Copy link')),
    ...(what.rows ? [pictures(what)] : []),
    paper(what, () => dialog.close()),
    ...(what.frame && site ? [frame(what)] : []));
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); }); // beside it
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('section button').focus();
}
