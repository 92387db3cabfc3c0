import { acceptedLanguage, markedUp } from './page-language';

test.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-US,en;q=0.5', 'en'],
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
  ['en;q=0.4, de;q=0.7', 'de'],
  ['en;q=0, de;q=0.1', 'de'],
  ['DE', 'de'],
  ['fr', undefined],
  ['*', undefined],
  ['', undefined],
  ['de;q=x', undefined],
  [`${'fr,'.repeat(1_000)}de`, undefined],
  [undefined, undefined],
])('a browser that accepts %j reads %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test('values of a text are HTML, the text is not', () => {
  const text = (name: string, place: string) => `${place} & ${name}`;
  expect(markedUp(text, '<b>1</b>', '\ue000 $&')).toBe('\ue000 $& &amp; <b>1</b>');
});
