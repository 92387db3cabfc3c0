import { openPrisma } from '@parley/shared/prisma';
import type { NarrowTerm, SendFacts, SendFactsQuery, User } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import type { TestDatabase } from '@parley/shared/testing';
import fc from 'fast-check';
import { isGiven, leftOf } from '../../test/narrow-model';
import {
  LATEST_VERSION,
  type ModelMessage,
  makeMessages,
  READER_ID,
  reader,
  storeOrganization,
  USER_IDS,
} from '../../test/narrow-organization';
import { openTestDatabase } from '../../test/open-test-database';
import { exampleUser } from '../../test/realm-peer';
import { term } from '../../test/terms';
import { isAmongReceived } from '../access/permissions';
import type { Context } from '../context';
import { PrismaClient } from '../generated/prisma/client';
import { loadAround, NEWEST, wantedPage } from '../search/find-around';
import { findMessages, type Search } from '../search/find-messages';
import { lookAround } from '../search/page-of-everybody';
import { compileNarrow } from './compile-narrow';

const MESSAGES = 22_000;
const LIMIT = 40;
/** Narrows of several random terms, others in each run, beside those of one and two terms; `npm run test:release` tries 1,000. */
const NARROWS = Number(process.env.RANDOM_NARROWS ?? 50);
const TIMEOUT_MS = Math.max(120_000, NARROWS * 1_000);
const caller: Caller = { ...newCall(), realmId: 1, userId: READER_ID };

let database: TestDatabase;
let prisma: PrismaClient;
let ctx: Context;
let messages: ModelMessage[];

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  prisma = openPrisma(db, (adapter) => new PrismaClient({ adapter }));
  const users: User[] = USER_IDS.map((id) => exampleUser(1, id, `U${id}`, { email: `u${id}@x` }));
  const getSendFacts = async (_caller: unknown, { recipientIds, recipientEmails }: SendFactsQuery) =>
    ({
      recipients: users.filter(({ id, email }) => recipientIds.includes(id) || recipientEmails.includes(email)),
    }) as SendFacts;
  const load = async (_caller: unknown, userIds: readonly number[]) =>
    new Map(users.filter(({ id }) => userIds.includes(id)).map((user) => [user.id, user]));
  ctx = { db, prisma, getSendFacts, userCards: { load } } as unknown as Context;
  messages = makeMessages(MESSAGES);
  await storeOrganization(db, messages);
}, 120_000);

afterAll(async () => {
  await prisma.$disconnect();
  await database.close();
});

const not = (narrowTerm: NarrowTerm): NarrowTerm => ({ ...narrowTerm, isNegated: true });
const text = (operator: string, ...operands: string[]) => operands.map((operand) => term(operator, { text: operand }));
const ids = (operator: string, ...operands: number[]) => operands.map((id) => term(operator, { id }));

const ANYWHERE: NarrowTerm[] = [
  ...text('sender', 'u2@x', 'u7@x'),
  ...ids('sender', 1, 7),
  ...ids('id', 21_000, 500),
  ...text('id', '21500'),
  ...text('near', '7'),
  ...text(
    'search',
    'lunch',
    'RUNNING',
    'zebra',
    'rare',
    'the tea',
    '"deploy errors"',
    'report "tea"',
    'the',
    'nothing',
    'zebra lunch',
  ),
  ...text('has', 'link', 'image', 'attachment', 'reaction'),
  ...text('is', 'starred', 'unread', 'mentioned', 'alerted', 'resolved', 'followed', 'muted'),
  ...text('in', 'home', 'all'),
  ...ids('mentions', 1, 2, 5),
  ...text('mentions', 'u3@x'),
];
const IN_CHANNELS: NarrowTerm[] = [
  ...text('channel', 'LOBBY', 'Quiet'),
  ...ids('channel', 1, 2, 3, 4, 5, 6, 7, 8),
  ...text('channels', 'public', 'web-public', 'archived'),
  ...text('topic', '', 'general chat', 'Lunch Plans', 'rare topic', 'reports', 'nowhere'),
];
const IN_DIRECTS: NarrowTerm[] = [
  ...text('dm', 'u2@x', 'u2@x,u3@x', 'u1@x'),
  ...[[], [2], [2, 3], [1, 6], [5]].map((operand) => term('dm', { ids: operand })),
  ...ids('dm-including', 1, 2, 4),
  ...text('dm-including', 'u3@x'),
  ...ids('group-pm-with', 2, 1),
  ...text('is', 'dm'),
];
const EVERY = [...ANYWHERE, ...IN_CHANNELS, ...IN_DIRECTS];

const described = (narrow: readonly NarrowTerm[]) =>
  narrow
    .map(
      ({ operator, isNegated, ...operand }) =>
        `${isNegated ? '-' : ''}${operator}:${operand.text ?? operand.id ?? `[${operand.ids}]`}`,
    )
    .join(' ');

async function expectAgreement(narrow: readonly NarrowTerm[]): Promise<void> {
  const left = leftOf(messages, narrow).map(({ id }) => id);
  const search = { reader, narrow: await compileNarrow(ctx, caller, narrow, reader) };
  const find = (direction: 'before' | 'after', fromId: number, limit: number) =>
    findMessages(ctx, search, { realmId: 1, direction, fromId, limit });
  const before = (id: number) =>
    left
      .filter((each) => each <= id)
      .reverse()
      .slice(0, LIMIT);
  const after = (id: number) => left.filter((each) => each >= id).slice(0, LIMIT);
  expect(await find('before', MESSAGES + 1, LIMIT)).toEqual(before(MESSAGES + 1));
  expect(await find('after', 0, LIMIT)).toEqual(after(0));
  expect(await find('before', 12_000, LIMIT)).toEqual(before(12_000));
  expect(await find('after', 20_500, LIMIT)).toEqual(after(20_500));
  await expectPages(search, left);
}

const PAGES = [
  { anchor: NEWEST, numBefore: LIMIT, numAfter: 0, includeAnchor: true },
  { anchor: 12_000, numBefore: 20, numAfter: 30, includeAnchor: true },
  { anchor: 12_000, numBefore: 0, numAfter: 30, includeAnchor: false },
];

/** Enough for a part of the pages: channels are of different shares of all messages. */
const LOADED_PER_WANTED = 4;
let pagesOfEverybody = 0;

/** Pages that are found and loaded at once, whichever way they are found. */
async function expectPages(search: Search, left: readonly number[]): Promise<void> {
  const { conditions, isUnread, messageIds, conversations } = search.narrow;
  const middle = left[Math.floor(left.length / 2)];
  const around = middle === undefined ? [] : [{ anchor: middle, numBefore: 5, numAfter: 300, includeAnchor: true }];
  for (const page of [...PAGES, ...around]) {
    const expected = pageOf(page, left);
    const { found, rows } = await loadAround(ctx, page, search);
    expect(found).toMatchObject(expected);
    expect(rows.map(({ id }) => id)).toEqual(expected.ids.toSorted((a, b) => a - b));
    if (conditions.length > 0 || isUnread || messageIds || conversations) continue;
    const { page: ofAll } = await lookAround(ctx.db, search, wantedPage(page, search, page.anchor), LOADED_PER_WANTED);
    if (!ofAll) continue;
    pagesOfEverybody += 1;
    expect(ofAll.ids).toEqual(expected.ids);
    expect(ofAll.rows.map(({ id }) => id)).toEqual(expected.ids.toSorted((a, b) => a - b));
  }
}

function pageOf({ anchor, numBefore, numAfter, includeAnchor }: (typeof PAGES)[0], left: readonly number[]) {
  const older = left.filter((id) => id < anchor).slice(-numBefore || left.length);
  const newer = left.filter((id) => id > anchor).slice(0, numAfter);
  const wanted = [...(numBefore > 0 ? older : []), ...newer];
  const foundAnchor = includeAnchor && left.includes(anchor);
  const place = (id: number) => (id < anchor ? 2 * (older.length - older.indexOf(id)) : 2 * newer.indexOf(id) + 3);
  const ids = [...(foundAnchor ? [anchor] : []), ...wanted.toSorted((a, b) => place(a) - place(b))];
  const foundOldest = wanted.filter((id) => id < anchor).length < numBefore;
  return { ids, range: { foundAnchor, foundOldest, foundNewest: anchor === NEWEST || newer.length < numAfter } };
}

const single: [string, NarrowTerm[]][] = EVERY.flatMap((each) => [[each], [not(each)]]).map((narrow) => [
  described(narrow),
  narrow,
]);
const IN_LOBBY = term('channel', { id: 1 });
const paired: [string, NarrowTerm[]][] = ANYWHERE.map((each) => [IN_LOBBY, each]).map((narrow) => [
  described(narrow),
  narrow,
]);

test.each([['everything', []], ...single, ...paired] as [string, NarrowTerm[]][])('%s', async (_, narrow) => {
  await expectAgreement(narrow);
});

test('the rule about one message agrees with the statements about sets', async () => {
  const search = { reader, narrow: await compileNarrow(ctx, caller, [], reader) };
  const found = new Set(
    await findMessages(ctx, search, { realmId: 1, direction: 'after', fromId: 0, limit: MESSAGES }),
  );
  const ofChannels = messages.filter(({ channelId }) => channelId !== null);
  const received = ofChannels.filter((message) => {
    const movedVersion = message.channelId === message.sentChannelId ? null : LATEST_VERSION;
    return isAmongReceived({ ...message, movedVersion, participantIds: null, isGiven: isGiven(message) }, reader);
  });
  expect(received.map(({ id }) => id)).toEqual(ofChannels.map(({ id }) => id).filter((id) => found.has(id)));
  expect(received.length).toBeLessThan(ofChannels.length);
});

test('pages were also found among everybody’s messages', () => {
  expect(pagesOfEverybody).toBeGreaterThan(20);
});

test('there are more than a hundred and twenty narrows above', () => {
  expect(single.length + paired.length).toBeGreaterThan(120);
});

test(
  'any terms together',
  async () => {
    const termsOf = (list: NarrowTerm[]) =>
      fc.array(
        fc.tuple(fc.constantFrom(...list), fc.boolean()).map(([each, isNegated]) => ({ ...each, isNegated })),
        {
          minLength: 1,
          maxLength: 4,
        },
      );
    const narrows = fc.oneof(termsOf([...ANYWHERE, ...IN_CHANNELS]), termsOf([...ANYWHERE, ...IN_DIRECTS]));
    await fc.assert(fc.asyncProperty(narrows, expectAgreement), { numRuns: NARROWS, endOnFailure: true });
  },
  TIMEOUT_MS,
);
