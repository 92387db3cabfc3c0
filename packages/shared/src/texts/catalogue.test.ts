import { readdirSync } from 'node:fs';
import path from 'node:path';
import { TEXT_LANGUAGES, textLanguage } from '.';

/** All texts of a language, by file. */
function load(language: string): Record<string, unknown> {
  const directory = path.join(__dirname, language);
  const files = readdirSync(directory).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [file, require(path.join(directory, file))]));
}

/** Each text's name with what it is: a text, or a function of so many values. */
function outline(texts: unknown, name = ''): string[] {
  if (typeof texts === 'function') return [`${name}(${texts.length})`];
  if (typeof texts !== 'object' || texts === null) return [name];
  return Object.entries(texts).flatMap(([part, inner]) => outline(inner, `${name}.${part}`));
}

/** Modules export their texts under the name of the language or of their area. */
const outlineOf = (language: string) =>
  outline({ ...load(language) }).map((name) => name.replace(`.${language}.`, '.'));

const OTHERS = TEXT_LANGUAGES.filter((language) => language !== 'en');

test.each(OTHERS)('%s has the same texts as English, with the same values', (language) => {
  const expected = outlineOf('en').sort();
  expect(expected.length).toBeGreaterThan(500);
  expect(outlineOf(language).sort()).toEqual(expected);
});

test('a text that says nothing says nothing in all languages', () => {
  const empty = (texts: unknown, name = ''): string[] => {
    if (typeof texts === 'object' && texts !== null) {
      return Object.entries(texts).flatMap(([part, inner]) => empty(inner, `${name}.${part}`));
    }
    return texts === '' ? [name] : [];
  };
  const emptyIn = (language: string) => empty(load(language)).map((name) => name.replace(`.${language}.`, '.'));
  for (const language of OTHERS) expect(emptyIn(language)).toEqual(emptyIn('en'));
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['en-gb', 'en'],
  ['fr', 'en'],
  ['constructor', 'en'],
  ['', 'en'],
])('people whose language is %j read %s', (language, expected) => {
  expect(textLanguage(language)).toBe(expected);
});
