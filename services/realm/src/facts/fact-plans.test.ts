import type { Sql } from '@parley/shared/db';
import type { SendFactsQuery } from '@parley/shared/proto';
import { observed, rowsReadIn } from '@parley/shared/testing';
import { change, newChannel } from '../../test/channels';
import { contextOfTests } from '../../test/each-test';
import { channelIds, join, newGroup, newOrganization, newUser, type Person } from '../../test/examples';
import { listUnsubscribedViewers } from '../channel-access/channel-visibility.sql';
import { loadChannels } from '../channel-access/channels.sql';
import { getChannel } from '../channel-access/get-channel';
import type { Context } from '../context';
import { fillRealm } from '../fill/fill-realm';
import { selectGroups } from '../groups/groups.sql';
import { listAllMemberIds } from '../membership/group-members.sql';
import { renderText } from '../rendering/render-texts';
import { getOwnAccount } from '../users/get-own-account';
import { loadEditFacts } from './edit-facts.sql';
import { getEditFacts } from './get-edit-facts';
import { getMarkFacts } from './get-mark-facts';
import { getReadFacts } from './get-read-facts';
import { getSendFacts } from './get-send-facts';
import { getTypingAudience } from './get-typing-audience';
import { loadPeopleToNotify } from './notification-facts.sql';

const RUNS = 12;

const ctx = contextOfTests();
let olivia: Person;
let general: number;

beforeAll(async () => {
  olivia = await newOrganization(ctx);
  const size = { users: 3_000, channels: 300, subscriptionsPerUser: 20, groups: 20, seed: 1 };
  await fillRealm(ctx, { subdomain: olivia.subdomain, ...size });
  general = (await channelIds(ctx, olivia))['general'] as number;
  await ctx.db.query('vacuum analyze');
});

function askEdit() {
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const channels = { channelIds: [general], readChannels: { ids: [general] } };
  return getEditFacts(ctx, olivia, { ...names, ...channels, contentOnly: true });
}

function ask(query: Partial<SendFactsQuery>, by: Context = ctx) {
  const { realmId, userId: senderId } = olivia;
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const nobody = { recipientIds: [], recipientEmails: [] };
  return getSendFacts(by, { queries: [{ realmId, senderId, ...nobody, ...names, ...query }] });
}

const render = (text: string) => renderText(ctx, ctx.db, { realmId: olivia.realmId, authorId: olivia.userId }, text);

test.each<[string, () => Promise<unknown>]>([
  ['the facts of a send', () => ask({ channelId: general })],
  ['those of typing in a channel', () => ask({ channelId: general, tellsTyping: true, omitsOrganization: true })],
  ['those without omissions', () => ask({ channelId: general, tellsTyping: true })],
  ['those of typing a direct message', () => ask({ recipientIds: [olivia.userId], tellsTyping: true })],
  ['those of an edit of content', askEdit],
  ['who is told of an edit', () => getTypingAudience(ctx, olivia, { channelId: general, userIds: [] })],
  ['the facts for reading a channel', () => getReadFacts(ctx, olivia, { channels: { ids: [general] } })],
  ['those for reading own channels', () => getReadFacts(ctx, olivia, { channels: { ids: [], withOwn: true } })],
  ['those for reading all channels', () => getReadFacts(ctx, olivia)],
  ['the facts for a mark', () => getMarkFacts(ctx, olivia, { channelIds: [general] })],
  ['the own account', () => getOwnAccount(ctx, olivia)],
  ['the facts for a text that names nothing', () => render('**Hello**')],
])('%s: a connection plans the statement once', async (_, act) => {
  const before = await runsOf();
  for (let run = 0; run < RUNS; run += 1) await act();
  const ran = [...(await runsOf())].filter(([name, { all }]) => all - (before.get(name)?.all ?? 0) === RUNS);
  expect(ran).toHaveLength(1);
  for (const [, { custom }] of ran) expect(custom).toBe(0);
});

/** Of an organization whose tables have thousands. */
const FEW_ROWS = 500;

test('of many keys, settings, accounts and members, a request reads its own', async () => {
  const { realmId, email } = olivia;
  const [{ apiKeyId }] = (await ctx.db.query('select id as "apiKeyId" from api_key where realm_id = $1', [
    realmId,
  ])) as [{ apiKeyId: number }];
  const own = await newChannel(ctx, olivia, 'own');
  const mentioned = await newUser(ctx, olivia);
  await join(ctx, mentioned, ['own']);
  const administrators = { directMemberIds: [mentioned.userId], directSubgroupIds: [] };
  await change(ctx, olivia, own, {
    groupSettings: { can_administer_channel_group: { new: administrators, old: null } },
  });
  await giveEverybody(realmId);
  const credential = { apiKeyId, email };
  const rowsOf = async (act: (observing: Context) => Promise<unknown>) => {
    const { sql, plans } = observed(ctx.db);
    await act({ ...ctx, db: sql as Context['db'] });
    return rowsReadIn(plans);
  };
  const sending = (query: Partial<SendFactsQuery>) => rowsOf((by) => ask({ channelId: own, credential, ...query }, by));
  expect(await sending({ mentionedNames: [`|${mentioned.userId}`] })).toBeLessThan(FEW_ROWS);
  expect(await sending({ tellsTyping: true, omitsOrganization: true })).toBeLessThan(FEW_ROWS);
  expect(await rowsOf((by) => getChannel(by, olivia, { channelId: own }))).toBeLessThan(FEW_ROWS);
  // Each account is looked at, but not each of their subscriptions.
  expect(await rowsOf((by) => listUnsubscribedViewers(by.db, realmId, [own], ctx.clock.now()))).toBeLessThan(10_000);
});

test('of a group, its members are read, and of a resolved topic nobody who has not chosen to have its notice read', async () => {
  const { realmId, userId } = olivia;
  const member = await newUser(ctx, olivia);
  const groupId = await newGroup(ctx, olivia, { name: 'few', members: [member] });
  const rowsOf = async (act: (sql: Sql) => Promise<unknown>) => {
    const { sql, plans } = observed(ctx.db);
    await act(sql);
    return rowsReadIn(plans);
  };
  const nowMs = ctx.clock.now();
  const mentioning = (sql: Sql) =>
    ask({ channelId: general, mentionedGroupNames: ['few'] }, { ...ctx, db: sql as never });
  const [largest] = await ctx.db.query<{ id: number }>(
    'select id from channel where realm_id = $1 order by subscriber_count desc limit 1',
    [realmId],
  );
  const keys = {
    realmId,
    actorId: userId,
    nowMs,
    channelIds: [largest?.id as number],
    authorId: userId,
    withNoticeChoices: true,
  };
  expect(await rowsOf(mentioning)).toBeLessThan(FEW_ROWS);
  expect(await rowsOf((sql) => listAllMemberIds(sql, realmId, groupId, nowMs))).toBeLessThan(FEW_ROWS);
  expect(await rowsOf((sql) => selectGroups(sql, realmId, nowMs, [groupId]))).toBeLessThan(FEW_ROWS);
  expect(await rowsOf((sql) => loadEditFacts(sql, keys))).toBeLessThan(FEW_ROWS);
});

test('of those who may be told of a message, their own rows are read, and none of their other subscriptions', async () => {
  const { realmId, userId: senderId } = olivia;
  const people = await ctx.db.query<{ id: number }>(
    'select id from user_account where realm_id = $1 and not is_bot limit 60',
    [realmId],
  );
  const { sql, plans } = observed(ctx.db);
  const message = { realmId, senderId, version: 1, mentionsAll: false, namedIds: people.map(({ id }) => id) };
  await loadPeopleToNotify(
    sql,
    [
      { ...message, channelId: general },
      { ...message, channelId: null },
    ],
    ctx.clock.now(),
  );
  expect(rowsReadIn(plans)).toBeLessThan(2 * people.length * 6);
});

test('of many groups, each channel reads the values of its settings', async () => {
  const { realmId } = olivia;
  await ctx.db.query(
    `insert into user_group (realm_id, name, name_key, created_at) select $1, 'many ' || n, 'many ' || n, now() from generate_series(1, 300) n`,
    [realmId],
  );
  await ctx.db.query('vacuum analyze user_group');
  const { sql, plans } = observed(ctx.db);
  const channels = await loadChannels(sql, realmId);
  expect(channels.length).toBeGreaterThan(300);
  expect(rowsReadIn(plans)).toBeLessThan(channels.length * 20);
});

/** A key and a chosen setting to each account, and some groups of many members. */
async function giveEverybody(realmId: number): Promise<void> {
  const everybody = 'from user_account u where u.realm_id = $1';
  await ctx.db.query(
    `insert into api_key (realm_id, user_id, key_hash, created_at) select $1, u.id, sha256(u.id::text::bytea), now() ${everybody}`,
    [realmId],
  );
  await ctx.db.query(
    `insert into user_settings (realm_id, user_id, chosen)
     select $1, u.id, '{"automatically_follow_topics_where_mentioned": false}' ${everybody} on conflict do nothing`,
    [realmId],
  );
  await ctx.db.query(
    `insert into user_group_member (realm_id, group_id, user_id)
     select $1, g.id, u.id ${everybody.replace('user_account u', 'user_account u cross join user_group g')}
       and g.realm_id = $1 and not g.is_system and g.name is not null on conflict do nothing`,
    [realmId],
  );
  await ctx.db.query('vacuum analyze');
}

/** For each prepared statement the number of executions, and of those planned for their values. */
async function runsOf(): Promise<Map<string, { all: number; custom: number }>> {
  const rows = await ctx.db.query<{ name: string; all: number; custom: number }>(
    'select name, (generic_plans + custom_plans)::int as all, custom_plans::int as custom from pg_prepared_statements',
  );
  return new Map(rows.map(({ name, ...runs }) => [name, runs]));
}
