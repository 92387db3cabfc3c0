// Writes emoji-names.json: code → names, the canonical one first. Run by hand after a new Unicode version:
//   node generate-emoji-names.mjs && npx biome check --write .
// Names come from emojibase-data: those of iamcal (the set most chat clients know) first, then GitHub's, then emojibase's
// own. house-names.json goes before all of them: names by which clients of this API know emoji; the first is canonical.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// A skin tone by itself is none.
const emojis = require('emojibase-data/en/data.json').filter(({ hexcode }) => !/^1F3F[B-F]$/.test(hexcode));
const houseNames = JSON.parse(readFileSync(new URL('./house-names.json', import.meta.url), 'utf8'));
const sets = ['iamcal', 'github', 'emojibase'].map((name) => require(`emojibase-data/en/shortcodes/${name}.json`));

const codeOf = (hexcode) =>
  hexcode
    .toLowerCase()
    .split('-')
    .filter((part) => part !== 'fe0f')
    .join('-');
const namesIn = (set, hexcode) => [set[hexcode] ?? []].flat();

const taken = new Map();
const codes = [...Object.keys(houseNames), ...emojis.map(({ hexcode }) => codeOf(hexcode))];
const names = new Map(codes.map((code) => [code, []]));

function claim(code, name) {
  if (!/^[\p{L}\p{N}_+-]+$/u.test(name) || taken.has(name)) return;
  taken.set(name, code);
  names.get(code)?.push(name);
}

for (const [code, own] of Object.entries(houseNames)) {
  for (const name of own.split(' ')) claim(code, name);
}
for (const set of sets) {
  for (const { hexcode } of emojis) {
    for (const name of namesIn(set, hexcode)) claim(codeOf(hexcode), name);
  }
}

const named = [...names].filter(([, own]) => own.length > 0).map(([code, own]) => [code, own.join(' ')]);
writeFileSync(
  new URL('./emoji-names.json', import.meta.url),
  `${JSON.stringify(Object.fromEntries(named), null, 2)}\n`,
);
