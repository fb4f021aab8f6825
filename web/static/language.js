// The language of a page. It is that of the address, or else the one that was chosen last at this device, or else the
// first of the browser's that is known here. English is there; another is loaded, and the page is seen when it has come.

import { kept, keep } from './kept.js';

// valid returns the name of a language, or null if there is none of this name.
export const valid = (text) => (['en', 'zh'].includes(text) ? text : null);

// visit is the language that an address has named in this visit: it goes along to the next page.
function visit(lang) {
  try {
    if (lang !== undefined) sessionStorage.setItem('lang', lang);
    return valid(sessionStorage.getItem('lang'));
  } catch {
    return null;
  }
}
visit(valid(new URLSearchParams(location.search).get('lang')) ?? undefined);

// chosen returns the language of pages whose address names none.
export const chosen = () => visit() ?? valid(kept('lang')) ?? navigator.languages.map((tag) => valid(tag.slice(0, 2))).find(Boolean) ?? 'en';

const language = () => valid(new URLSearchParams(location.search).get('lang')) ?? chosen();
const lang = language();
const isChinese = lang === 'zh';

async function speak() {
  if (!isChinese) return;
  const { style } = document.documentElement;
  style.visibility = 'hidden';
  await import('./translate.js').catch(() => {}); // without a network it stays English
  style.visibility = '';
}

// spoken is kept when all that is there is in the language of the page.
export const spoken = speak();

// say returns a text that is not part of the page in the language of the page.
export const say = async (text) => (isChinese ? (await import('./translate.js')).said(text) : text);

// offer has the button choose the other language.
export function offer() {
  const button = document.getElementById('language');
  if (isChinese) Object.assign(button, { textContent: 'English', lang: 'en' });
  button.addEventListener('click', () => {
    keep('lang', isChinese ? 'en' : 'zh');
    visit('');
    const address = new URL(location.href);
    address.searchParams.delete('lang');
    location.replace(address);
  });
  addEventListener('pageshow', (event) => { // one comes back to it, and has chosen another language meanwhile
    if (event.persisted && language() !== lang) location.reload();
  });
}
