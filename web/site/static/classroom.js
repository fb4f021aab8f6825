// The page for the classroom: sheets of levels to print, by kind and by how hard they are.

import { $, plural } from '../../static/dom.js';
import { cards } from './cards.js';
import { load } from './packs.js';
import { learn, note, sheet } from './pictures.js';

const STEPS = [['easy', 0, 12], ['medium', 13, 30], ['hard', 31, Infinity]]; // with the least and the greatest par

const file = await load(globalThis.PAGODA_LEVELS);
const packs = file.packs.filter(({ levels }) => !levels.some(({ goal }) => goal)); // those of chance have no solutions
await learn(packs);
let solutions = {};

const sheets = packs.flatMap((pack) => STEPS.map(([name, least, most]) => ({
  pack, title: `${pack.title}, ${name}`, levels: pack.levels.filter(({ par }) => par >= least && par <= most),
}))).filter(({ levels }) => levels.length);
cards($('sheets'), () => sheets.map(({ pack, title, levels }) => ({
  title, solutions: `Solutions: ${title}`, note: note(pack),
  levels: levels.map((level) => sheet(file, pack, level, plural(level.par, pack.page.unit ?? 'move'), () => solutions[level.id])),
})), async () => { solutions = await load(globalThis.PAGODA_SOLUTIONS); });
const box = $('sheets').querySelector('details');
box.addEventListener('toggle', () => { box.querySelector('select').selectedIndex = 1; }, { once: true }); // not all of them
box.open = true;
document.body.classList.add('ready');
