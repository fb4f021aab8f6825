// What every view uses: elements, and how numbers and names are written.

export const $ = (id) => document.getElementById(id);

// calm matches where one wants less motion.
export const calm = matchMedia('(prefers-reduced-motion: reduce)');

// make makes an element.
export function make(tag, attributes = {}, ...children) {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) el.addEventListener(key.slice(2), value);
    else el.setAttribute(key, value);
  }
  el.append(...children);
  return el;
}

// isolate keeps a text that may be written from right to left apart from the sentence around it. It is for
// plain text, such as titles; elements have bdi.
export const isolate = (text) => (/[\u0590-\u08ff\u200f\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text) ? `\u2068${text}\u2069` : text);

export const comma = (n) => BigInt(n).toLocaleString('en'); // large integers come as strings

export const plural = (n, one) => `${comma(n)} ${n === 1 ? one : `${one}s`}`;

export const capital = (text) => text[0].toUpperCase() + text.slice(1);
