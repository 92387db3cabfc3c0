import type { Database } from '@parley/shared/db';
import { parseMailInAddress } from '@parley/shared/mail-in';
import { createFakeClock, type TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import { deleteEndedAddresses } from './reply-address.sql';
import { type Answering, findReplyAddress, putReplyAddress } from './reply-addresses';

const DAY_MS = 24 * 3_600_000;
const DOMAIN = 'chat.example';
const clock = createFakeClock();
const config = { MAIL_IN_DOMAIN: DOMAIN, MAIL_IN_KEY: 'what the addresses of these tests are made of' } as never;
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
afterEach(() => db.query('delete from reply_address'));
afterAll(() => database.close());

const LUNCH: Answering = { realmId: 1, userId: 7, conversation: { channelId: 3, topic: 'Lunch' }, messageId: 100 };

function put(changed: Partial<Answering> = {}, settings = config) {
  return db.transaction((tx) => putReplyAddress({ config: settings, clock }, tx, { ...LUNCH, ...changed }));
}

async function replyTo(changed: Partial<Answering> = {}, settings = config): Promise<string> {
  return (await put(changed, settings))?.replyTo as string;
}

async function find(address: string) {
  const { kind, token = '' } = parseMailInAddress(address, DOMAIN) ?? {};
  const { address: found } = await findReplyAddress({ db, clock }, { token });
  return found ? { kind, ...found } : null;
}

test('an address tells who replies, and to what; its bounces tell the same', async () => {
  const made = await put();
  expect(await find(made?.replyTo as string)).toEqual({
    kind: 'reply',
    realmId: 1,
    userId: 7,
    channelId: 3,
    topic: 'Lunch',
    participantIds: [],
    messageId: 100,
  });
  expect(await find(made?.bounceTo as string)).toMatchObject({ kind: 'bounce', userId: 7 });
  const direct = await replyTo({ conversation: { participantIds: [7, 5] } });
  const found = await find(direct);
  expect(found).toMatchObject({ userId: 7, participantIds: [7, 5] });
  expect(found).not.toHaveProperty('channelId');
});

test('mails about a conversation have the same address, which answers the newest message', async () => {
  const first = await replyTo();
  expect(await replyTo({ conversation: { channelId: 3, topic: 'LUNCH' }, messageId: 120 })).toBe(first);
  expect(await replyTo({ messageId: 90 })).toBe(first);
  expect(await find(first)).toMatchObject({ messageId: 120 });
  const direct = await replyTo({ conversation: { participantIds: [5, 7] } });
  expect(await replyTo({ conversation: { participantIds: [7, 5] } })).toBe(direct);
});

test.each<[string, Partial<Answering>]>([
  ['person', { userId: 8 }],
  ['organization', { realmId: 2 }],
  ['topic', { conversation: { channelId: 3, topic: 'Dinner' } }],
  ['conversation', { conversation: { participantIds: [7] } }],
])('another %s has another address', async (_what, changed) => {
  expect(await replyTo(changed)).not.toBe(await replyTo());
});

test('an address ends after 30 days; the last one that is handed out holds for two weeks', async () => {
  const first = await replyTo();
  clock.advance(14 * DAY_MS);
  expect(await replyTo()).toBe(first);
  clock.advance(2 * DAY_MS);
  const second = await replyTo();
  expect(second).not.toBe(first);
  expect(await find(first)).not.toBeNull();
  clock.advance(14 * DAY_MS);
  expect([await find(first), await find(second)]).toEqual([null, expect.anything()]);
  expect(await deleteEndedAddresses(db, clock.now(), 10)).toBe(1);
});

test('only a hash is stored; with another key the next mail has another address, and the former one stays valid', async () => {
  const first = await replyTo();
  const token = parseMailInAddress(first, DOMAIN)?.token as string;
  const [row] = await db.query<{ row: string }>('select a::text as row from reply_address a');
  expect(row?.row).not.toContain(token);
  const other = { MAIL_IN_DOMAIN: DOMAIN, MAIL_IN_KEY: 'another one, just as long as it is needed' } as never;
  const second = await replyTo({}, other);
  expect(second).not.toBe(first);
  expect(await find(first)).toMatchObject({ userId: 7 });
  expect(await find(second)).toMatchObject({ userId: 7 });
});

test('a person has a bounded number of them: the oldest end', async () => {
  const first = await replyTo();
  await db.query(
    `insert into reply_address (realm_id, user_id, conversation, message_id, salt, token_hash, created_at, ends_at)
     select 1, 7, 'channel 3 ' || n, n, '', ('x' || n)::bytea, now(), to_timestamp($1 / 1000.0)
     from generate_series(1, 499) n`,
    [clock.now() + 20 * DAY_MS],
  );
  expect(await find(first)).not.toBeNull();
  await replyTo({ conversation: { participantIds: [7, 9] } });
  expect(await find(first)).toBeNull();
  expect(await db.query('select 1 from reply_address')).toHaveLength(500);
});

test('without a domain there are none; unknown tokens are nobody’s', async () => {
  expect(await put({}, { MAIL_IN_KEY: 'x'.repeat(32) } as never)).toBeNull();
  expect(await find(`reply.r${'a'.repeat(26)}@${DOMAIN}`)).toBeNull();
});
