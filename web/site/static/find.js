// Finds things by their names, and forgives how they are spelled: capitals, accents, hyphens and spaces do not
// matter, and a wrong letter or two do little harm. finder is what pages need.

// folded returns the words of a text, in small letters without accents. Everything else parts words.
const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').match(/[\p{L}\p{N}]+/gu) ?? [];

// holds reports whether a text has a part, with whole numbers: 15 is no part of 150.
function holds(text, part) {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + part.length] ?? ''];
    if (!/\d\d/.test(before + part[0]) && !/\d\d/.test(part.at(-1) + after)) return true;
  }
  return false;
}

// distance counts the wrong, missing and extra letters, and neighbours in the wrong order, between a word and the
// beginning of a name that is most like it.
function distance(word, name) {
  let [before, row] = [[], Array.from({ length: name.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= word.length; i++) {
    const next = [i];
    for (let j = 1; j <= name.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (word[i - 1] !== name[j - 1]));
      if (i > 1 && j > 1 && word[i - 1] === name[j - 2] && word[i - 2] === name[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return Math.min(...row);
}

// allowed is how many letters of a word may be wrong. Numbers are right or wrong.
const allowed = (word) => (/\d/.test(word) || word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

// COMMON are words that people add, and that names need not have.
const COMMON = /^(puzzles?|games?|boards?|the)$/;

// The places of names order what fits equally well: the best known name comes first. They count less than a letter.
const place = (i) => Math.min(i, 99) / 1000;

// wrong counts the letters of a word that are wrong in the nearest of some names, which have their places, if they are
// as few as allowed. Short words begin alike: an hour is not four.
function wrong(word, names) {
  const most = allowed(word);
  let least = Infinity;
  for (const [name, at] of most ? names : []) {
    if (name.length < word.length - most || word.length < 6 && name[0] !== word[0]) continue;
    const apart = distance(word, name.slice(0, word.length + most));
    if (apart <= most) least = Math.min(least, apart + place(at));
  }
  return least;
}

// finder returns functions that search things, each given by a list of its names, the best known first. rank says of
// each thing how well it fits what is typed: below 1 if one of its names has it, or if its names have all words;
// otherwise from the number of wrong letters, or Infinity. nearest returns the place of the thing with the name that is
// most like what is typed, or -1.
export function finder(things) {
  const known = things.map((names) => {
    const all = names.map(folded).filter((words) => words.length);
    return { all, text: all.map((words) => words.join(' ')).join('\n'), whole: all.map((words) => words.join('')), words: all.flatMap((words, i) => words.map((word) => [word, i])) };
  });
  const ranks = (words) => known.map(({ all, text, whole, words: parts }) => {
    const one = words.join('');
    const at = whole.findIndex((name) => holds(name, one));
    if (at >= 0) return place(at) + (all[at].some((_, i) => all[at].slice(i).join('').startsWith(one)) ? 0 : 0.1); // from the beginning of a word
    const apart = words.reduce((sum, word) => sum + (holds(text, word) ? 0 : wrong(word, parts)), 0);
    return apart ? Math.min(apart, wrong(one, whole.map((name, i) => [name, i]))) : 0.5;
  });
  return {
    rank(typed) {
      const words = folded(typed);
      const all = ranks(words);
      // Chinese names have no blanks: those that begin so are meant, and not those of other things that end so.
      if (/^\p{Script=Han}+$/u.test(words.join('')) && all.some((rank) => rank < 0.1)) return all.map((rank) => (rank < 0.1 ? rank : Infinity));
      const rest = words.filter((word) => !COMMON.test(word));
      return all.every((rank) => rank === Infinity) && rest.length && rest.length < words.length ? ranks(rest) : all;
    },
    nearest(typed) {
      const one = folded(typed).join('');
      let [best, least] = [-1, 0.6];
      known.forEach(({ whole }, i) => {
        whole.forEach((name, at) => {
          const apart = distance(one, name.slice(0, one.length + 2)) / one.length + place(at);
          if (apart < least) [best, least] = [i, apart];
        });
      });
      return best;
    },
  };
}
