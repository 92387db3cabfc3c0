import { newCall } from '@parley/shared/rpc';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, leave, newGroup, newUser } from '../../test/examples';
import { addAlertWords } from '../personal/alert-words';
import { muteUser } from '../personal/muted-users';
import { readFactsReader } from './get-read-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);
const read = readFactsReader(ctx);

const MEMBERS_ID = `(select id from user_group where realm_id = $1 and name = 'role:members')`;
const OPEN_ID = `(select id from channel where realm_id = $1 and name = 'open')`;

beforeEach(async () => {
  await join(ctx, olivia, ['open']);
  await join(ctx, iago, ['open']);
});

/** Runs SQL on the organization $1, and of iago, $2. */
async function execute(sql: string): Promise<void> {
  await ctx.db.query(sql, sql.includes('$2') ? [olivia.realmId, iago.userId] : [olivia.realmId]);
}

async function versionOf(): Promise<string> {
  const { version } = await read(iago, { channels: { ids: [], withOwn: true } });
  return version as string;
}

describe('the version of the facts about a reader differs after', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a subscription', () => join(ctx, iago, ['other'])],
    ['the end of one', () => leave(ctx, iago, ['open'])],
    ['muting a channel', () => execute('update subscription set is_muted = true where realm_id = $1 and user_id = $2')],
    ['muting a user', () => muteUser(ctx, iago, { userId: olivia.userId })],
    ['an alert word', () => addAlertWords(ctx, iago, { words: ['lunch'] })],
    [
      'a setting of the reader',
      () =>
        execute(
          `insert into user_settings (realm_id, user_id, chosen) values ($1, $2, '{"send_read_receipts": false}')`,
        ),
    ],
    ['another role', () => execute('update user_account set role = 600 where realm_id = $1 and id = $2')],
    [
      'a setting of the organization',
      () => execute(`update realm set settings = '{"topics_policy": "x"}' where id = $1`),
    ],
    ['a new channel', () => join(ctx, olivia, ['new'])],
    [
      'a channel that becomes private',
      () => execute(`update channel set is_private = true where realm_id = $1 and name = 'open'`),
    ],
    [
      'a renamed channel',
      () => execute(`update channel set name = 'shut', name_key = 'shut' where realm_id = $1 and name = 'open'`),
    ],
    [
      'another group that may administer a channel',
      () =>
        execute(`insert into channel_group_setting (realm_id, channel_id, name, group_id)
          values ($1, ${OPEN_ID}, 'can_administer_channel_group', ${MEMBERS_ID}) on conflict (realm_id, channel_id, name)
          do update set group_id = excluded.group_id`),
    ],
    ['a new group with the reader', () => newGroup(ctx, olivia, { name: 'readers', members: [iago] })],
  ])('%s', async (_what, change) => {
    const before = await versionOf();
    await change();
    expect(await versionOf()).not.toBe(before);
  });

  test('the end of the waiting period of new members', async () => {
    await execute(`update realm set settings = '{"waiting_period_threshold": 3}' where id = $1`);
    const before = await versionOf();
    ctx.clock.advance(4 * 24 * 3600_000);
    expect(await versionOf()).not.toBe(before);
  });
});

test.each<[string, () => Promise<unknown>]>([
  ['a new subscriber of the channel', async () => join(ctx, await newUser(ctx, olivia), ['open'])],
  ['a color', () => execute(`update subscription set color = '#000000' where realm_id = $1`)],
  ['what others mute', () => muteUser(ctx, olivia, { userId: iago.userId })],
  ['the name of an account', () => execute(`update user_account set full_name = full_name || '!' where realm_id = $1`)],
])('it stays after %s', async (_what, change) => {
  const before = await versionOf();
  await change();
  expect(await versionOf()).toBe(before);
});

test('a change of more than 100 readers is counted once, for everybody', async () => {
  await execute(
    `insert into user_account overriding system value
     select (jsonb_populate_record(u, jsonb_build_object('id', u.id + n, 'email', n || u.email, 'delivery_email', n || u.email))).*
     from user_account u, generate_series(1, 101) n where u.realm_id = $1 and u.id = $2`,
  );
  const before = await versionOf();
  await execute(
    `insert into alert_word (realm_id, user_id, word_key, word, added_at)
     select $1, $2::int + n, 'soup', 'soup', now() from generate_series(1, 101) n`,
  );
  expect(await versionOf()).not.toBe(before);
  const counted = await ctx.db.query('select user_id from reader_change where realm_id = $1 and user_id > $2', [
    olivia.realmId,
    iago.userId,
  ]);
  expect(counted).toEqual([]);
});

test('a current version gets no facts but the version of accounts; another gets all', async () => {
  const { open = 0 } = await channelIds(ctx, olivia);
  const channels = { ids: [open] };
  const facts = await read(iago, { channels });
  const { version = '', usersVersion } = facts;
  expect(await read(iago, { channels, knownVersion: version })).toEqual({
    realm: null,
    reader: null,
    channels: [],
    mutedUserIds: [],
    alertWords: [],
    receiptCandidates: [],
    readerSettings: '{}',
    isKnown: true,
    version,
    usersVersion,
  });
  expect(await read(iago, { channels, knownVersion: 'x' })).toEqual(facts);
});

test('concurrent checks of known versions share statements', async () => {
  const { version = '' } = await read(iago, {});
  const before = ctx.db.statementCount;
  const answers = await Promise.all(
    [iago, olivia, iago, iago].map((caller) => read({ ...newCall(), ...caller }, { knownVersion: version })),
  );
  expect(answers.map(({ isKnown }) => isKnown === true)).toEqual([true, false, true, true]);
  // At most two at a time, and the facts of the other.
  expect(ctx.db.statementCount - before).toBeLessThanOrEqual(4);
});
