// The page in another language. English stands in the HTML and in the code, and here the table of another language
// takes its place: at once in what is there, and in what comes later before it is painted. This module is loaded only
// when another language is chosen, and imports nothing but the table.

import { texts, joins, lang } from './zh.js';

const ATTRIBUTES = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label'];
const LEAVE = '[translate=no], script, noscript, style, code, kbd, textarea';
const MOST = 5000; // strings that are kept
const PART = 25; // milliseconds of work at a time

// Patterns are entries with values: {0} stands for the first one. They are kept by the first word, if they begin with one,
// or else by the last one, if they end with one.
const first = (text) => `${/^[A-Za-z]+(?![A-Za-z])/.exec(text)?.[0] ?? ''}-`;
const last = (text) => `-${/[A-Za-z]+(?=[^A-Za-z]*$)/.exec(text)?.[0] ?? ''}`;
const patterns = new Map();
for (const [english, other] of Object.entries(texts)) {
  if (!english.includes('{')) continue;
  const parts = english.split(/\{\d\}/);
  const pattern = { parts, numbers: english.match(/(?<=\{)\d(?=\})/g), other, weight: parts.join('').length };
  const key = [first(parts[0].replace(/[A-Za-z]+$/, '')), last(parts.at(-1).replace(/^[A-Za-z]+/, ''))].find((word) => word !== '-') ?? '';
  if (!patterns.has(key)) patterns.set(key, []);
  patterns.get(key).push(pattern);
}

// fit returns the values of a pattern in a text, or null. A value is not empty, and does not go on over a sentence; that of
// a short pattern has no colon.
function fit({ parts, numbers, weight }, text) {
  if (!text.startsWith(parts[0]) || !text.endsWith(parts.at(-1))) return null;
  const end = text.length - parts.at(-1).length;
  const values = [];
  let at = parts[0].length;
  for (let i = 1; i < parts.length; i++) {
    const to = i === parts.length - 1 ? end : text.indexOf(parts[i], at + 1);
    if (to <= at || to > end) return null;
    const value = text.slice(at, to);
    if (/[.!?…] |.[.!?…]$| – /.test(value) || weight < 8 && value.includes(': ')) return null;
    values[numbers[i - 1]] = value;
    at = to + parts[i].length;
  }
  return values;
}

const isEnglish = (text) => /[A-Za-z]{2}/.test(text);

// english counts the words of a text that are still English. Names are not: they have capitals, or look like slide/klotski.
const english = (text) => text.replace(/[!-~]*[/\d][!-~]*/g, '').match(/\b[a-z]{2,}/g)?.length ?? 0;

// entry returns what the table has for a text: as it is, or by the pattern that leaves the fewest words in English, and
// says most of the text itself. Many words that are left mean that the pattern was made for another text. A capital may
// only begin the text. Unless a pattern is free, it has to begin with the first word of the text.
function entry(text, { free = true } = {}) {
  const forms = /^[A-Z]/.test(text) ? [text, text[0].toLowerCase() + text.slice(1)] : [text];
  const exact = forms.find((form) => Object.hasOwn(texts, form));
  if (exact) return texts[exact];
  const fits = [];
  for (const form of forms) {
    for (const key of free ? [first(form), last(form), ''] : [first(form)]) {
      for (const pattern of patterns.get(key) ?? []) {
        const values = fit(pattern, form);
        if (values) fits.push({ pattern, values });
      }
    }
  }
  fits.sort((a, b) => b.pattern.weight - a.pattern.weight);
  let best = null;
  for (const { pattern, values } of fits) {
    const told = values.map(value);
    const left = english(told.join(' '));
    if (left > Math.max(1, pattern.weight / 3) || pattern.weight < 3 && told.every((one, i) => one === values[i])) continue;
    if (!best || left < best.left) best = { pattern, told, left };
    if (!left) break;
  }
  return best?.pattern.other.replace(/\{(\d)\}/g, (_, n) => best.told[n]);
}

// value returns a value in the other language, or as it is: it may be in the table, or be several that are.
const known = new Map();
function value(text) {
  if (!isEnglish(text) && !Object.hasOwn(texts, text)) return text;
  if (!known.has(text)) {
    if (known.size > MOST) known.clear();
    known.set(text, newValue(text));
  }
  return known.get(text);
}

function newValue(text) {
  const found = entry(text, { free: false });
  if (found !== undefined) return found;
  for (const [join, other] of Object.entries(joins)) {
    if (!text.includes(join)) continue;
    const all = text.split(join).map(value).join(other);
    if (!isEnglish(all)) return all;
  }
  return entry(text) ?? text;
}

const cache = new Map();

// translate returns a text in the other language, sentence by sentence. What the table does not have stays English. A dot
// in the middle parts a list.
function translate(text) {
  const kept = cache.get(text);
  if (kept !== undefined) return kept;
  const told = text.replace(/[^ ·](?:[^·]*[^ ·])?/g, (item) => entry(item)
    ?? item.split(/(?<=[.!?…][”)]?) (?=[“(]?[A-Z0-9])/).map((part) => entry(part) ?? part).join(' ').replace(/(?<=[。！？：；，]) /g, ''));
  if (cache.size > MOST) cache.clear();
  cache.set(text, told).set(told, told); // it is not translated again
  return told;
}

// turned returns a text of the document in the other language, with the blanks around it that it still needs.
function turned(text) {
  if (!isEnglish(text)) return text;
  const [, before, core, after] = /^(\s*)(.*?)(\s*)$/s.exec(text);
  const told = translate(core.replace(/\s+/g, ' ')).replace(/^\. (?=[\u3000-\u9fff])/, '。'); // it goes on after a name
  return (/^[。！？：；，、]/.test(told) ? '' : before) + told + (/[。！？：；，、]$/.test(told) ? '' : after);
}

// said returns a text of several lines in the other language.
export const said = (text) => text.split('\n').map(turned).join('\n');

function turnText(node) {
  const told = turned(node.nodeValue);
  if (told === node.nodeValue) return;
  const option = node.parentElement?.closest('option');
  if (option && !option.hasAttribute('value')) option.setAttribute('value', option.value); // which is its text
  node.nodeValue = told;
}

function turnAttribute(el, name) {
  const text = el.getAttribute(name);
  const told = text && turned(text);
  if (told !== text) el.setAttribute(name, told);
}

// turnElement puts an element and its own texts into the other language.
function turnElement(el) {
  if (el.closest(LEAVE)) return;
  for (const name of ATTRIBUTES) if (el.hasAttribute(name)) turnAttribute(el, name);
  for (const node of el.childNodes) if (node.nodeType === Node.TEXT_NODE) turnText(node);
}

let queue = []; // elements that are still to be translated

// work goes on with them. A large page is translated in parts, so that no task is long.
function work() {
  const end = performance.now() + PART;
  let n = 0;
  while (n < queue.length && performance.now() < end) turnElement(queue[n++]);
  queue = queue.slice(n);
  observer.takeRecords(); // what was changed here
  if (queue.length) setTimeout(work);
}

const observer = new MutationObserver((records) => {
  for (const { type, target, attributeName, addedNodes } of records) {
    if (type === 'attributes') {
      if (!target.closest(LEAVE)) turnAttribute(target, attributeName);
    } else {
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        if (node.nodeType === Node.ELEMENT_NODE) queue.push(node, ...node.querySelectorAll('*'));
        else if (node.nodeType === Node.TEXT_NODE && node.parentElement && !node.parentElement.closest(LEAVE)) turnText(node);
      }
    }
  }
  work();
});

const root = document.documentElement;
root.lang = lang;
observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES });
queue.push(...root.querySelectorAll('*'));
work();
while (queue.length) await new Promise((done) => { setTimeout(done); });
