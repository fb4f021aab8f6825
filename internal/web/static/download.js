// Pictures to keep: SVG and GIF come from the API; a PNG is drawn here, from the SVG.

import { request } from './home.js';
import { make } from './player.js';

const SCALE = 2; // of a PNG: screens are fine, and prints finer

const KINDS = { svg: 'SVG', png: 'PNG', gif: 'GIF', film: 'Animated SVG' };

// downloads puts links into a place, with ids that begin with a prefix, and returns a function that says what they
// show: the query strings of a picture and of an animation, or nothing.
export function downloads(place, prefix, fault) {
  const links = Object.fromEntries(Object.entries(KINDS).map(([kind, label]) => [kind, make('a', { class: 'button', id: `${prefix}-${kind}`, download: '' }, label)]));
  place.append(...Object.values(links));
  links.png.addEventListener('click', async (event) => {
    event.preventDefault();
    event.stopPropagation(); // of the site, that saves answers of the API
    try {
      await savePNG(links.png.getAttribute('href'));
    } catch (err) {
      fault(err);
    }
  });
  return (picture, animation) => {
    const at = picture && {
      svg: `api/picture.svg?${picture}`, png: `api/picture.svg?${picture}`, gif: `api/picture.gif?${animation}`, film: `api/picture.svg?${animation}&show=played`,
    };
    for (const [kind, link] of Object.entries(links)) {
      link.classList.toggle('off', !at);
      if (at) link.href = at[kind];
      else link.removeAttribute('href');
    }
  };
}

async function savePNG(path) {
  const response = await request(path);
  if (!response.ok) throw new Error((await response.json()).error);
  const name = /filename="(.*)\.svg"/.exec(response.headers.get('Content-Disposition'))?.[1] ?? 'pagoda';
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
  await image.decode();
  const canvas = make('canvas', { width: SCALE * image.naturalWidth, height: SCALE * image.naturalHeight });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  if (!blob) throw new Error('The picture is too large for a PNG here: choose a shorter text, or the SVG.');
  const save = make('a', { href: URL.createObjectURL(blob), download: `${name}.png` });
  save.click();
  setTimeout(() => URL.revokeObjectURL(save.href), 60000);
}
