import type { Sql, Transaction } from '@parley/shared/db';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, crowd, join, leave, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getSubscribers } from '../joining/subscribe';
import { resumeSubscriptions } from './begin-subscriptions';
import { suspendSubscriptions } from './end-subscriptions';
import { holdSubscriptionsOf } from './subscriptions.sql';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const storeActivity = (sql: Sql, userIds: number[], isActive: boolean) =>
  sql.query('update user_account set is_active = $2 where id = any($1)', [userIds, isActive]);
const changeSubscriptions = async (tx: Transaction, userIds: number[], isActive: boolean) => {
  const subscriptions = await holdSubscriptionsOf(tx, olivia.realmId, userIds);
  await (isActive ? resumeSubscriptions : suspendSubscriptions)(ctx, tx, olivia.realmId, subscriptions);
};
const setActivity = (userIds: number[], isActive: boolean) =>
  ctx.db.transaction(async (tx) => {
    await storeActivity(tx, userIds, isActive);
    await changeSubscriptions(tx, userIds, isActive);
  });
const idOf = async (name: string) => (await channelIds(ctx, olivia))[name] as number;
const intervalsOf = async (name: string, { userId }: Person) => {
  const { subscribers } = await getSubscribers(ctx, { realmId: olivia.realmId, channelId: await idOf(name) });
  return subscribers.find((subscriber) => subscriber.userId === userId)?.intervals;
};
const countOf = async (name: string) => {
  const [row] = await ctx.db.query<{ count: number }>('select subscriber_count as count from channel where id = $1', [
    await idOf(name),
  ]);
  return row?.count;
};

test('a deactivated user receives no messages, and a reactivated one only later ones', async () => {
  await join(ctx, iago, ['news', 'left']);
  await leave(ctx, iago, ['left']);
  await setActivity([iago.userId], false);
  expect(await intervalsOf('news', iago)).toEqual([{ fromVersion: 1, toVersion: 2 }]);
  expect(await countOf('news')).toBe(0);
  await setActivity([iago.userId], true);
  expect(await intervalsOf('news', iago)).toEqual([{ fromVersion: 1, toVersion: 2 }, { fromVersion: 3 }]);
  expect(await intervalsOf('left', iago)).toEqual([{ fromVersion: 1, toVersion: 2 }]);
  expect(await countOf('news')).toBe(1);
});

test('announces several channels to others at once', async () => {
  await join(ctx, olivia, ['news']);
  await join(ctx, iago, ['news']);
  const names = ['general', 'sandbox', 'tips', 'news'];
  const stream_ids = await Promise.all(names.map(idOf));
  const announced = async () =>
    (await publicEvents(ctx, olivia, 'subscription')).map(({ event, audience }) => ({ ...event, audience }));
  for (const [isActive, op] of [
    [false, 'peer_remove'],
    [true, 'peer_add'],
  ] as const) {
    await ctx.db.query('delete from outbox');
    await setActivity([iago.userId], isActive);
    const audience = { to: 'realm', exceptIds: [iago.userId] };
    expect(await announced()).toEqual([{ type: 'subscription', op, stream_ids, user_ids: [iago.userId], audience }]);
  }
});

test('10,000 users take as many statements as one', async () => {
  const change = async (userIds: number[], isActive: boolean) => {
    // Each account that changes counts for the organization, and one transaction would keep 10,000 versions of that count.
    for (let begin = 0; begin < userIds.length; begin += 100) {
      await storeActivity(ctx.db, userIds.slice(begin, begin + 100), isActive);
    }
    const before = ctx.db.statementCount;
    await ctx.db.transaction((tx) => changeSubscriptions(tx, userIds, isActive));
    return ctx.db.statementCount - before;
  };
  const count = async (userIds: number[]) => {
    await join(ctx, olivia, ['everyone'], { principalIds: userIds });
    return (await change(userIds, false)) + (await change(userIds, true));
  };
  const few = await count([iago.userId]);
  expect(await count(await crowd(ctx, olivia, 10_000))).toBe(few);
});

test('a user deactivated during a subscription receives nothing afterwards', async () => {
  const names = ['a', 'b', 'c'];
  await join(ctx, olivia, names);
  for (let round = 0; round < 5; round += 1) {
    const zoe = await newUser(ctx, olivia);
    const attempts = [join(ctx, olivia, names, { principalIds: [zoe.userId] }), setActivity([zoe.userId], false)];
    await Promise.allSettled(round % 2 ? attempts : attempts.toReversed());
    for (const name of [...names, 'general']) {
      const intervals = (await intervalsOf(name, zoe)) ?? [];
      expect(intervals.every(({ toVersion }) => toVersion !== undefined)).toBe(true);
    }
  }
});
