import { silentLogger } from '@parley/shared/service';
import { newChannel } from '../../test/channels';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { crowd, newUser, type Person } from '../../test/examples';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { loadVisibleChannelIds } from '../channel-access/channel-visibility';
import { namedGroup } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { updateRealm } from '../realms/update-realm';
import { endWaitingPeriods, endWaitingPeriodsPeriodically } from './waiting-periods';

const DAY_MS = 24 * 3600_000;
const HOUR_MS = 3600_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

beforeEach(async () => {
  await setWaitingPeriod(3);
});

async function setWaitingPeriod(days: number): Promise<void> {
  const chosen = JSON.stringify({ waiting_period_threshold: days });
  await ctx.db.query('update realm set settings = settings || $2::jsonb where id = $1', [olivia.realmId, chosen]);
}

/** Users who became full members, one list for each announcement. */
async function ended({ realmId }: Person): Promise<number[][]> {
  const { 'role:fullmembers': fullMembersId } = await findSystemGroupIds(ctx.db, realmId);
  const added = await payloadsOf<{ groupId: number; userIds: number[] }>(ctx, olivia, 'group.members-added');
  return added.filter(({ groupId }) => groupId === fullMembersId).map(({ userIds }) => userIds);
}

test('a member is announced as a full member once, after the waiting period', async () => {
  const iago = await newUser(ctx, olivia);
  ctx.clock.advance(3 * DAY_MS - 1);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([]);
  ctx.clock.advance(1);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([[iago.userId]]);
  ctx.clock.advance(DAY_MS);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([[iago.userId]]);
});

test('members of one hour are announced together; owners, guests and deactivated users have no waiting period', async () => {
  const members = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  await newUser(ctx, olivia, { role: 600 });
  await newUser(ctx, olivia, { role: 200 });
  const gone = await newUser(ctx, olivia);
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  ctx.clock.advance(HOUR_MS);
  const later = await newUser(ctx, olivia);
  ctx.clock.advance(3 * DAY_MS - HOUR_MS);
  await endWaitingPeriods(ctx);
  ctx.clock.advance(HOUR_MS);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([members.map(({ userId }) => userId), [later.userId]]);
});

test('a changed waiting period announces every change of membership exactly once, earlier ones included', async () => {
  const first = await newUser(ctx, olivia);
  ctx.clock.advance(DAY_MS);
  const second = await newUser(ctx, olivia);
  ctx.clock.advance(2 * DAY_MS + HOUR_MS / 2);
  await updateRealm(ctx, olivia, { settings: JSON.stringify({ waiting_period_threshold: 1 }), groupSettings: {} });
  expect(await ended(olivia)).toEqual([[first.userId], [second.userId]]);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toHaveLength(2);
  const third = await newUser(ctx, olivia);
  ctx.clock.advance(DAY_MS);
  await endWaitingPeriods(ctx);
  expect((await ended(olivia)).slice(2)).toEqual([[third.userId]]);
});

test('organizations without a waiting period, and deactivated ones, are skipped', async () => {
  await newUser(ctx, olivia);
  await setWaitingPeriod(0);
  ctx.clock.advance(4 * DAY_MS);
  await endWaitingPeriods(ctx);
  await setWaitingPeriod(3);
  await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([]);
});

test('concurrent replicas announce it once', async () => {
  const iago = await newUser(ctx, olivia);
  ctx.clock.advance(4 * DAY_MS);
  await Promise.all(Array.from({ length: 4 }, () => endWaitingPeriods(ctx)));
  expect(await ended(olivia)).toEqual([[iago.userId]]);
});

test('is done every hour until it is stopped', async () => {
  const iago = await newUser(ctx, olivia);
  ctx.clock.advance(3 * DAY_MS - HOUR_MS / 2);
  const stops = [1, 2].map(() => endWaitingPeriodsPeriodically({ db: ctx.db, clock: ctx.clock, log: silentLogger }));
  ctx.clock.advance(HOUR_MS);
  await Promise.all(stops.map((stop) => stop()));
  expect(await ended(olivia)).toEqual([[iago.userId]]);
  await newUser(ctx, olivia);
  ctx.clock.advance(10 * DAY_MS);
  expect(await ended(olivia)).toHaveLength(1);
});

describe('a private channel that full members may join', () => {
  let channelId: number;
  let iago: Person;

  beforeEach(async () => {
    const { 'role:fullmembers': fullMembersId } = await findSystemGroupIds(ctx.db, olivia.realmId);
    const groupSettings = { can_subscribe_group: namedGroup(fullMembersId) };
    const settings = { isPrivate: true, groupSettings };
    channelId = await newChannel(ctx, olivia, 'full', { settings, subscriberIds: [olivia.userId] });
    await newChannel(ctx, olivia, 'closed', { settings: { isPrivate: true } });
    iago = await newUser(ctx, olivia);
  });

  const changeDays = (days: number) =>
    updateRealm(ctx, olivia, { settings: JSON.stringify({ waiting_period_threshold: days }), groupSettings: {} });

  /** Events about the channel for users who could not see it all the time. */
  async function appearances(): Promise<unknown[]> {
    const events = [
      ...(await publicEvents(ctx, olivia, 'stream')),
      ...(await publicEvents(ctx, olivia, 'subscription')),
    ];
    return events.flatMap(({ audience, event }) => {
      if (audience.to !== 'users' || !audience.userIds.includes(iago.userId)) return [];
      const streams = (event['streams'] ?? []) as { stream_id: number }[];
      return [[event['op'], event['stream_ids'] ?? streams.map(({ stream_id }) => stream_id)]];
    });
  }

  const isSeen = async () => {
    const seen = await loadVisibleChannelIds(ctx.db, olivia.realmId, [iago.userId], ctx.clock.now());
    return seen.get(iago.userId)?.includes(channelId);
  };

  test('appears once for a new full member, with its subscribers', async () => {
    ctx.clock.advance(3 * DAY_MS);
    await endWaitingPeriods(ctx);
    await endWaitingPeriods(ctx);
    expect(await appearances()).toEqual([
      ['create', [channelId]],
      ['peer_add', [channelId]],
    ]);
  });

  test('vanishes when the waiting period is made longer, and appears when it is made shorter', async () => {
    ctx.clock.advance(3 * DAY_MS);
    await endWaitingPeriods(ctx);
    const before = (await appearances()).length;
    await changeDays(5);
    expect(await isSeen()).toBe(false);
    expect((await appearances()).slice(1, -1)).toEqual([['delete', [channelId]]]);
    await changeDays(2);
    expect(await isSeen()).toBe(true);
    expect(await appearances()).toHaveLength(before + 3);
  });

  test('does not appear for users who lose full membership by a longer waiting period within the hour', async () => {
    ctx.clock.advance(3 * DAY_MS + HOUR_MS / 2);
    await changeDays(5);
    expect([await isSeen(), await appearances()]).toEqual([false, []]);
    ctx.clock.advance(2 * DAY_MS);
    await endWaitingPeriods(ctx);
    expect(await appearances()).toHaveLength(2);
  });

  test('appears within the hour when the waiting period is removed', async () => {
    ctx.clock.advance(3 * DAY_MS + HOUR_MS / 2);
    await changeDays(0);
    expect(await appearances()).toHaveLength(2);
    await changeDays(10);
    expect([await isSeen(), (await appearances()).length]).toEqual([false, 3]);
  });

  test('costs as many statements for one as for many', async () => {
    await ctx.db.query('update realm set is_deactivated = true where id <> $1', [olivia.realmId]);
    const countOf = async () => {
      ctx.clock.advance(4 * DAY_MS);
      const before = ctx.db.statementCount;
      await endWaitingPeriods(ctx);
      return ctx.db.statementCount - before;
    };
    const forOne = await countOf();
    const userIds = await crowd(ctx, olivia, 500);
    await ctx.db.query('update user_account set created_at = to_timestamp($2 / 1000.0) where id = any($1)', [
      userIds,
      ctx.clock.now(),
    ]);
    expect(await countOf()).toBe(forOne);
    expect((await ended(olivia)).at(-1)).toEqual(userIds);
  });
});
