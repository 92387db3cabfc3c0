import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { fillRealm } from './fill-realm';
import { getFillFacts } from './get-fill-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const factsOf = ({ subdomain }: Person) => getFillFacts(ctx, { subdomain });
const fill = ({ subdomain }: Person) =>
  fillRealm(ctx, { subdomain, users: 400, channels: 30, groups: 0, subscriptionsPerUser: 6, seed: 1 });

test('lists the active people of one organization', async () => {
  const dan = await newUser(ctx, olivia);
  await fill(await newOrganization(ctx));
  const { realmId, people } = await factsOf(olivia);
  expect(realmId).toBe(olivia.realmId);
  expect(people.map(({ id }) => id)).toEqual([olivia.userId, dan.userId]);
});

test('lists channels with their first subscribers, the largest channel first', async () => {
  await fill(olivia);
  const { channels } = await factsOf(olivia);
  const stored = await ctx.db.query<{ id: number; version: number; intervals: number }>(
    `select c.id, c.subscription_version as version, count(*) as intervals from channel c
     join subscription_interval i on i.realm_id = c.realm_id and i.channel_id = c.id
     where c.realm_id = $1 group by c.id, c.subscription_version, c.subscriber_count order by c.subscriber_count desc, c.id`,
    [olivia.realmId],
  );
  expect(channels.length).toBeGreaterThan(20);
  expect(channels.map(({ id, subscriptionVersion, intervals }) => [id, subscriptionVersion, intervals.length])).toEqual(
    stored.map(({ id, version, intervals }) => [id, version, Math.min(intervals, 200)]),
  );
  for (const { intervals, subscriptionVersion } of channels) {
    const versions = intervals.map(({ fromVersion }) => fromVersion);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(intervals.every(({ fromVersion, toVersion = Infinity }) => fromVersion < toVersion)).toBe(true);
    expect(Math.max(...intervals.map(({ toVersion = 0 }) => toVersion))).toBeLessThanOrEqual(subscriptionVersion);
  }
});

test('a deactivated organization is not filled', async () => {
  await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
  await expect(factsOf(olivia)).rejects.toMatchObject({ code: 'REALM_DEACTIVATED' });
});

test('nor one that does not exist', async () => {
  await expect(getFillFacts(ctx, { subdomain: 'nowhere' })).rejects.toThrow('Invalid subdomain');
});
