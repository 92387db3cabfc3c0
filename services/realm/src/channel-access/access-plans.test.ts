import { nodesOf, observed, pagesReadIn, rowsOf, rowsReadIn } from '@parley/shared/testing';
import { newChannel } from '../../test/channels';
import { contextOfTests } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { restrictGuests } from '../../test/restrict-guests';
import { listMeetings, listStrangers } from '../accounts/accessible-users.sql';
import { loadChannelsOfReaders, loadOwnOfReaders } from '../facts/read-facts.sql';
import { fillRealm } from '../fill/fill-realm';
import { namedGroup } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { colorChoosers } from '../subscriptions/plan-subscriptions';
import { listChoices } from '../subscriptions/subscriptions.sql';
import { listUnsubscribedGuests, listUnsubscribedViewers, listVisibility } from './channel-visibility.sql';

const ctx = contextOfTests();
let olivia: Person;

beforeAll(async () => {
  olivia = await newOrganization(ctx);
  const size = { users: 3_000, channels: 300, subscriptionsPerUser: 20, groups: 20, seed: 1 };
  await fillRealm(ctx, { subdomain: olivia.subdomain, ...size });
  await ctx.db.query('vacuum analyze');
});

const idsOf = async (text: string) => (await ctx.db.query<{ id: number }>(text, [olivia.realmId])).map(({ id }) => id);

test('the guests outside of hundreds of channels are found by reading their own subscriptions', async () => {
  const channelIds = await idsOf('select id from channel where realm_id = $1 and not is_private');
  const guestIds = await idsOf(
    'select id from user_account where realm_id = $1 and role = 600 and is_active order by id',
  );
  const inside = await ctx.db.query<{ channelId: number; userId: number }>(
    `select channel_id as "channelId", user_id as "userId" from subscription where realm_id = $1 and user_id = any($2) and is_active`,
    [olivia.realmId, guestIds],
  );
  const { sql, plans } = observed(ctx.db);
  const outside = new Map(
    (await listUnsubscribedGuests(sql, olivia.realmId, channelIds)).map(({ channelId, userIds }) => [
      channelId,
      userIds,
    ]),
  );
  const pairs = new Set(inside.map(({ channelId, userId }) => `${channelId} ${userId}`));
  for (const channelId of channelIds)
    expect(outside.get(channelId)).toEqual(guestIds.filter((id) => !pairs.has(`${channelId} ${id}`)));
  expect(channelIds.length * guestIds.length).toBeGreaterThan(10_000);
  expect(pagesReadIn(plans)).toBeLessThan(3 * (guestIds.length + inside.length));
});

test('who may see a private channel is found without reading all accounts', async () => {
  const { userId } = await newUser(ctx, olivia);
  const { 'role:nobody': nobody } = await findSystemGroupIds(ctx.db, olivia.realmId);
  const settings = { isPrivate: true, groupSettings: { can_subscribe_group: namedGroup(nobody as number) } };
  const own = await newChannel(ctx, olivia, 'own', { subscriberIds: [userId], settings });
  const now = ctx.clock.now();
  const [viewers, visibility] = [observed(ctx.db), observed(ctx.db)];
  const administratorIds = await idsOf(
    'select id from user_account where realm_id = $1 and role <= 200 and is_active order by id',
  );
  const [seen] = await listUnsubscribedViewers(viewers.sql, olivia.realmId, [own], now);
  expect(seen?.userIds).toEqual(administratorIds);
  const scope = { userIds: null, channelIds: [own] };
  expect((await listVisibility(visibility.sql, olivia.realmId, scope, now)).length).toBe(administratorIds.length + 1);
  for (const { plans } of [viewers, visibility]) {
    const scans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'user_account');
    expect(scans.reduce((sum, node) => sum + rowsOf(node), 0)).toBeLessThan(100);
  }
});

test('the groups of hundreds of readers are followed together', async () => {
  const { realmId } = olivia;
  await ctx.db.query(
    `with made as (
       insert into user_group (realm_id, name, name_key, created_at)
       select $1, 'set ' || n, 'set ' || n, now() from generate_series(1, 200) n returning id
     ), link as (
       insert into user_group_subgroup (realm_id, group_id, subgroup_id)
       select $1, a.id, b.id from made a join made b on b.id = a.id + 1
     ), member as (
       insert into user_group_member (realm_id, group_id, user_id)
       select $1, made.id, u.id from made join user_account u on u.realm_id = $1 and (u.id + made.id) % 40 = 0
     )
     insert into channel_group_setting (realm_id, channel_id, name, group_id)
     select $1, c.id, 'can_subscribe_group', made.id
     from (select id, row_number() over (order by id) n from channel where realm_id = $1) c
     join (select id, row_number() over (order by id) n from made) made using (n) on conflict do nothing`,
    [realmId],
  );
  await ctx.db.query('vacuum analyze');
  const [channelId] = await idsOf('select id from channel where realm_id = $1 order by id offset 195 limit 1');
  const userIds = (await idsOf('select id from user_account where realm_id = $1 order by id limit 300')) as number[];
  const readers = userIds.map((userId) => ({ userId, channelIds: [channelId as number] }));
  const { sql, plans } = observed(ctx.db);
  const loaded = await loadChannelsOfReaders(sql, realmId, readers, ctx.clock.now());
  expect(loaded.map(({ userId }) => userId)).toEqual(userIds);
  const holders = loaded.filter(({ channels }) => channels[0]?.holds?.includes('can_subscribe_group'));
  expect(holders.length).toBeGreaterThan(0);
  expect(holders.length).toBeLessThan(userIds.length);
  expect(rowsReadIn(plans)).toBeLessThan(100_000);
});

test('of a crowd that leaves a channel, only own subscriptions are read', async () => {
  const { realmId } = olivia;
  const userIds = (await idsOf('select id from user_account where realm_id = $1 order by id limit 100')) as number[];
  const { sql, plans } = observed(ctx.db);
  const asked = userIds.map((userId) => ({ userId, channelIds: [] }));
  const loaded = await loadOwnOfReaders(sql, realmId, asked, ctx.clock.now());
  expect(loaded.map(({ userId }) => userId)).toEqual(userIds);
  const channelCount = loaded.reduce((sum, { channels }) => sum + channels.length, 0);
  expect(channelCount).toBeGreaterThan(userIds.length);
  expect(rowsReadIn(plans)).toBeLessThan(10 * channelCount);
});

test('of a crowd that joins a channel, no other subscription is read', async () => {
  const userIds = await idsOf('select id from user_account where realm_id = $1 order by id limit 500');
  const { sql, plans } = observed(ctx.db);
  await listChoices(sql, olivia.realmId, userIds, ['enable_sounds'], colorChoosers(userIds));
  expect(rowsReadIn(plans)).toBeLessThan(2 * userIds.length);
});

describe('restricted guests', () => {
  beforeAll(() => restrictGuests(ctx, olivia));

  test('who join a channel are compared with those who join it and those who are in it', async () => {
    const { realmId } = olivia;
    const userIds = await idsOf(
      `(select id from user_account where realm_id = $1 and role = 600 and is_active order by id limit 20)
       union all (select id from user_account where realm_id = $1 and role = 400 and not is_bot order by id limit 20)`,
    );
    const [channelId] = (await idsOf(
      'select id from channel where realm_id = $1 order by subscriber_count limit 1',
    )) as [number];
    const subscriberIds = await idsOf(
      `select user_id as id from subscription where realm_id = $1 and channel_id = ${channelId} and is_active`,
    );
    const [compared, all] = [
      await listMeetings(ctx.db, realmId, userIds, [channelId]),
      await listMeetings(ctx.db, realmId, userIds),
    ];
    const concerned = new Set([...userIds, ...subscriberIds]);
    const guestIds = userIds.slice(0, 20);
    expect(guestIds.map((id) => compared.get(id) ?? [])).toEqual(
      guestIds.map((id) => (all.get(id) ?? []).filter((userId) => concerned.has(userId))),
    );
    expect(guestIds.flatMap((id) => all.get(id) ?? []).some((userId) => !concerned.has(userId))).toBe(true);
  });

  test('meet people who are found by the guests’ own subscriptions', async () => {
    const { realmId } = olivia;
    const [userId] = (await idsOf(
      'select id from user_account where realm_id = $1 and role = 400 and not is_bot limit 1',
    )) as [number];
    const [meetings, strangers] = [observed(ctx.db), observed(ctx.db)];
    const met = (await listMeetings(meetings.sql, realmId, [userId])).keys();
    const [unmet] = await listStrangers(strangers.sql, realmId, [userId]);
    const guestIds = await idsOf(
      'select id from user_account where realm_id = $1 and role = 600 and is_active order by id',
    );
    expect([...met, ...(unmet?.guestIds ?? [])].sort((a, b) => a - b)).toEqual(guestIds);
    for (const { plans } of [meetings, strangers]) expect(pagesReadIn(plans)).toBeLessThan(50 * guestIds.length);
  });
});
