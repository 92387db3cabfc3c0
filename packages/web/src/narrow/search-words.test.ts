import { type Names, takeConditions, termsOfWords, wordsOfTerms } from './search-words';
import type { Term } from './terms';

const CHANNELS = ['general', 'two words', '2026-plans'];
const PEOPLE = ['Dan Doe', 'Eve Castillo', 'Lake, Cy', 'Smith, John (Berlin, Mitte)'];
const names: Names = {
  channelName: (id) => CHANNELS[id] ?? '…',
  channelId: (name) => find(CHANNELS, name),
  personName: (id) => PEOPLE[id] ?? '…',
  personId: (name) => find(PEOPLE, name),
};

function find(known: readonly string[], name: string): number | undefined {
  const id = known.findIndex((each) => each.toLowerCase() === name.toLowerCase());
  return id < 0 ? undefined : id;
}

const term = (operator: string, operand: Term['operand'], negated = false): Term => ({
  operator,
  operand,
  ...(negated && { negated }),
});

const SEARCHES: readonly [string, Term[]][] = [
  ['lunch', [term('search', 'lunch')]],
  ['big "red apple" pie', [term('search', 'big "red apple" pie')]],
  ['channel:general', [term('channel', 0)]],
  [
    'channel:"two words" topic:"new plan" lunch',
    [term('channel', 1), term('topic', 'new plan'), term('search', 'lunch')],
  ],
  ['channel:unknown', [term('channel', 'unknown')]],
  ['sender:"Eve Castillo" has:link', [term('sender', 1), term('has', 'link')]],
  ['dm:"Dan Doe, Eve Castillo"', [term('dm', [0, 1])]],
  ['dm:"Lake, Cy"', [term('dm', [2])]],
  ['dm:"Dan Doe, Smith, John (Berlin, Mitte), Lake, Cy"', [term('dm', [0, 3, 2])]],
  ['channel:2026-plans', [term('channel', 2)]],
  ['topic:"say ""hi"" now" lunch', [term('topic', 'say "hi" now'), term('search', 'lunch')]],
  ['topic:"""Ann"" said"', [term('topic', '"Ann" said')]],
  ['dm-including:"Dan Doe"', [term('dm-including', 0)]],
  ['-is:starred -channel:general', [term('is', 'starred', true), term('channel', 0, true)]],
  ['near:12 id:13', [term('near', 12), term('id', 13)]],
  ['topic:""', [term('topic', '')]],
];

test.each(SEARCHES)('%s: words become terms and words again', (words, terms) => {
  expect(termsOfWords(words, names)).toEqual(terms);
  expect(wordsOfTerms(terms, names)).toBe(words);
});

test.each<[string, Term[]]>([
  ['stream:General subject:lunch', [term('channel', 0), term('topic', 'lunch')]],
  ['from:"dan doe"', [term('sender', 0)]],
  ['is:private has:links', [term('is', 'dm'), term('has', 'link')]],
  ['https://example.com 10:30', [term('search', 'https://example.com 10:30')]],
  ['channel: lunch', [term('search', 'channel: lunch')]],
  ['topic:"not closed', [term('topic', 'not closed')]],
  ['sender:12', [term('sender', 12)]],
  ['channel:5-former-name', [term('channel', 5)]],
  ['dm:"Lake, Nobody"', [term('dm', 'Lake, Nobody')]],
  ['dm:""', [term('dm', '')]],
  ['  ', []],
])('%s is understood', (words, terms) => {
  expect(termsOfWords(words, names)).toEqual(terms);
});

test.each<[string, string[], string]>([
  ['channel:general ', ['channel:general'], ''],
  ['channel:general', [], 'channel:general'],
  ['channel: ', [], 'channel: '],
  ['soup -is:starred cake', ['-is:starred'], 'soup cake'],
  ['sender:"Eve Castillo" dm:"Da', ['sender:"Eve Castillo"'], 'dm:"Da'],
  ['sender:"Eve ', [], 'sender:"Eve '],
  ['topic:"say ""hi"" now" lu', ['topic:"say ""hi"" now"'], 'lu'],
  ['topic:"say ""hi', [], 'topic:"say ""hi'],
  ['from:Eve has:link  ', ['from:Eve', 'has:link'], ''],
  ['two  words ', [], 'two  words '],
  ['10:30 and https://example.com ', [], '10:30 and https://example.com '],
])('of "%s" the finished conditions are %j', (text, conditions, rest) => {
  expect(takeConditions(text)).toEqual({ conditions, rest });
});
