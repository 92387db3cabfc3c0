import { renderMarkdown } from '@parley/shared/markdown';
import { markdownCorpus, markdownExampleFacts, type TestDatabase } from '@parley/shared/testing';
import { ALERT_WORD_RULE, type AlertWord, alertFinder } from '@parley/shared/values';
import fc from 'fast-check';
import { openTestDatabase } from '../../test/open-test-database';
import { alertCandidates, hasAlertWordOf, indexedAlertWords } from './alerted.sql';

const exampleFacts = markdownExampleFacts();
const BATCHES = 300;
const CONTENTS_A_BATCH = 100;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

const WORDS = [
  'lunch',
  'Free Lunch',
  'c++',
  'a',
  'ΟΔΟΣ',
  'İstanbul',
  'straße',
  '100%',
  'x_y',
  '\\d',
  '[a]',
  '(?:',
  'Ünder',
];
const EDGES = [...new Set(ALERT_WORD_RULE.before + ALERT_WORD_RULE.after)];
const FENCES = [
  '```',
  '````',
  '~~~',
  '~~~~~',
  '~~~~~~~~',
  '~~~~~~~~~~',
  '``',
  ' ```',
  '    ```',
  '``` text',
  '```  ',
  '```~',
];
const OTHERS = ['lunches', 'οδος', 'istanbul', '"', '-', '\r', '\u2028', '\t', 'é', '😀', 'STRASSE', '100', '_'];

/** Where words are joined or hidden. */
const JOINED = [
  'see lunch.example.com',
  'x.lunch and v1.lunch',
  'LUNCH.txt,lunch',
  '[here](lunch)',
  '[a]: /lunch',
  '$$ lunch $$',
  '@**Lunch Name|12**',
  '| a | b |\n|---|---|\n| x | y | lunch |',
  '> ```lunch\n> x\n> ```',
  'http://localhost/a,lunch,b',
  "lunch's **lu**nch; ,lunch: lunch:8080 :smile:lunch",
  '<time:5 Jan 2020>',
  'İstanbul',
];

/** A word at every edge of an alert word, and what may stand beyond it. */
const AT_EDGES = ['lunch', 'v2', 'k8s'].flatMap((each) =>
  ['', 'x', '1', '-', 'x1', '@', '+'].flatMap((left) =>
    [...ALERT_WORD_RULE.before].flatMap((before) =>
      [...ALERT_WORD_RULE.after].flatMap((after) =>
        ['', 'x', '8080', '-x', '=1', 'e5'].map((right) => left + before + each + after + right),
      ),
    ),
  ),
);

const word = fc.constantFrom(...WORDS);
const line = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 4, arbitrary: fc.constantFrom(...EDGES) },
      { weight: 1, arbitrary: word.map((each) => each.toUpperCase()) },
      { weight: 2, arbitrary: fc.constantFrom(...OTHERS) },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const content = fc
  .array(fc.oneof({ weight: 3, arbitrary: line }, { weight: 2, arbitrary: fc.constantFrom(...FENCES) }), {
    maxLength: 8,
  })
  .map((lines) => lines.join('\n'));
const message = fc.record({ content, sentAtMs: fc.integer({ min: 0, max: 3 }) });
const alertWord: fc.Arbitrary<AlertWord> = fc.record({ word, addedAtMs: fc.integer({ min: 0, max: 3 }) });

test('SQL finds the alert words that alertFinder() finds', async () => {
  const found: boolean[] = [];
  const batch = fc.array(message, { minLength: 1, maxLength: CONTENTS_A_BATCH, size: 'max' });
  await fc.assert(
    fc.asyncProperty(batch, fc.array(alertWord, { maxLength: 3 }), async (messages, words) => {
      const expected = messages.filter((each) => alertFinder(each.content, each.sentAtMs)(words));
      expect(await alerted(messages, words)).toEqual(expected);
      found.push(...messages.map((each) => expected.includes(each)));
    }),
    { numRuns: BATCHES },
  );
  expect(new Set(found)).toEqual(new Set([true, false]));
}, 60_000);

test('SQL looks through the hardest message at once', async () => {
  const fences = Array.from({ length: 130 }, (_, index) => '~'.repeat(140 - index));
  const hardest = { content: [...fences, 'lunch'].join('\n'), sentAtMs: 0 };
  const began = process.hrtime.bigint();
  expect(await alerted([hardest], [{ word: 'lunch', addedAtMs: 0 }])).toEqual([hardest]);
  expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(1_000);
});

async function alerted(messages: readonly { content: string; sentAtMs: number }[], words: readonly AlertWord[]) {
  const values: unknown[] = [messages.map((each) => each.content), messages.map((each) => each.sentAtMs)];
  const condition = hasAlertWordOf(words)((value, type) => `$${values.push(value)}::${type}`);
  const rows = await database.db.query<{ index: number }>(
    `select (n - 1)::int as index from (
       select content, to_timestamp(ms / 1000.0) as sent_at, n
       from unnest($1::text[], $2::bigint[]) with ordinality as sent (content, ms, n)
     ) m where ${condition} order by n`,
    values,
  );
  return rows.map(({ index }) => messages[index]);
}

describe('the index', () => {
  const contents = [
    ...Object.values(markdownCorpus()).flatMap((cases) => cases.map(({ input }) => input)),
    ...JOINED,
    ...AT_EDGES,
  ];
  // Long and short ones, some of them in capitals.
  const words = [...new Set(contents.flatMap((input) => input.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? []))].sort();

  beforeAll(async () => {
    const html = contents.map((input) => renderMarkdown(input, exampleFacts).html);
    await database.db.query(
      `insert into message (realm_id, id, conversation_id, sender_id, content, rendered_content, sent_at, client_name,
         is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
       select 1, n, 1, 1, content, html, now(), '', false, false, false, false
       from unnest($1::text[], $2::text[]) with ordinality as sent (content, html, n)`,
      [contents, html],
    );
  });

  test('finds every message of the corpus that has a word, in every state', async () => {
    const indexed: string[] = [];
    for (const each of words) if (await isIndexed(each)) indexed.push(each);
    const missed: [word: string, content: string][] = [];
    for (const each of indexed) for (const content of await missedOf(each)) missed.push([each, content]);
    expect(missed).toEqual([]);
    expect(indexed.length).toBeGreaterThan(200);
  }, 60_000);

  test.each([
    [['lunch'], ['lunch']],
    [
      ['Free Lunch', 'TEA'],
      ['free lunch', 'tea'],
    ],
    [['v2 Lunch 2.0'], ['v2 lunch']],
    [['the c++ lunch'], ['the lunch']],
    [['c++'], null],
    [['2fa'], null],
    [['the c++'], null],
    [['lunch', 'the'], null],
    [['straße'], null],
    [[], null],
  ])('has %j: %j', async (alertWords, expected) => {
    expect(
      await indexedAlertWords(
        database.db,
        alertWords.map((each) => ({ word: each, addedAtMs: 0 })),
      ),
    ).toEqual(expected);
  });

  const isIndexed = async (each: string) =>
    (await indexedAlertWords(database.db, [{ word: each, addedAtMs: 0 }])) !== null;

  async function missedOf(sought: string): Promise<string[]> {
    const values: unknown[] = [1];
    const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
    const hasIt = hasAlertWordOf([{ word: sought, addedAtMs: 0 }])(bind);
    const rows = await database.db.query<{ content: string }>(
      `select m.content from message m join message c on c.realm_id = m.realm_id and c.id = m.id
       where m.realm_id = $1 and ${hasIt} and not (${alertCandidates([sought], bind).join(' or ')})`,
      values,
    );
    return rows.map(({ content }) => content);
  }
});
