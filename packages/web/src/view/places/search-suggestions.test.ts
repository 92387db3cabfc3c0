import { CLIENT_TEXTS } from '@parley/shared/texts/client';
import { OPERATORS } from '../../narrow/terms';
import { type SearchFacts, searchSuggestions } from './search-suggestions';

const PEOPLE = ['Dan Doe', 'Eve Castillo', 'Lake, Cy'];
const facts: SearchFacts = {
  channels: ['general', 'two words', 'leads'],
  people: (words) => PEOPLE.filter((name) => name.toLowerCase().includes(words.toLowerCase())),
  isPerson: (name) => PEOPLE.includes(name),
  topics: ['lunch', 'new plan', 'say "hi"'],
  here: 'channel:general',
  former: ['sender:me has:link'],
};
const suggest = (text: string) => searchSuggestions(text, facts).map(({ words }) => words);

test('before anything is typed: where one is, former searches, operators', () => {
  expect(suggest('').slice(0, 4)).toEqual(['channel:general ', 'sender:me has:link', 'channel:', 'topic:']);
});

test.each<[string, string[]]>([
  ['cha', ['channel:', 'channels:']],
  ['-cha', ['-channel:', '-channels:']],
  ['channel:', ['channel:general', 'channel:"two words"', 'channel:leads']],
  ['channel:tw', ['channel:"two words"']],
  ['channel:"two w', ['channel:"two words"']],
  ['channel:general topic:n', ['channel:general topic:"new plan"']],
  ['topic:"say', ['topic:"say ""hi"""']],
  ['topic:"say ""h', ['topic:"say ""hi"""']],
  ['apple is:un', ['apple is:unread']],
  ['-is:sta', ['-is:starred']],
  ['sender:eve', ['sender:"Eve Castillo"']],
  ['dm:"Dan Doe, ev', ['dm:"Dan Doe, Eve Castillo"']],
  ['dm:"Lake, c', ['dm:"Lake, Cy"']],
  ['dm:"Dan Doe, Lake, c', ['dm:"Dan Doe, Lake, Cy"']],
  ['dm:"Lake, Cy, ev', ['dm:"Lake, Cy, Eve Castillo"']],
  ['eve', ['dm:"Eve Castillo"', 'sender:"Eve Castillo"']],
  ['plan', ['topic:"new plan"']],
  ['unr', ['is:unread']],
  ['near:5', []],
])('"%s" suggests', (text, words) => {
  expect(suggest(text)).toEqual(words);
});

test('what can be chosen is described one by one', () => {
  const choices = ['is', 'has', 'channels'].flatMap((name) =>
    (OPERATORS[name]?.choices ?? []).map((choice) => `${name}:${choice}`),
  );
  expect(Object.keys(CLIENT_TEXTS.en.searchChoices)).toEqual(choices);
});
