import type { FillRealmRequest } from '@parley/shared/proto';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, type Person } from '../../test/examples';
import { payloadsOf } from '../../test/public-events';
import { listGroups } from '../groups/list-groups';
import { listPresences } from '../presence/presence';
import { listStaleTexts, RENDERED_COLUMNS } from '../rendered-texts/stale-texts.sql';
import { createUser } from '../users/create-user';
import { fillRealm } from './fill-realm';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const fill = ({ subdomain }: Person, wanted: Partial<FillRealmRequest> = {}) =>
  fillRealm(ctx, { subdomain, users: 200, channels: 30, groups: 10, subscriptionsPerUser: 6, seed: 1, ...wanted });

const rowsOf = <Row = Record<string, unknown>>(text: string, { realmId } = olivia) =>
  ctx.db.query<Row>(text, [realmId]);

async function count(text: string): Promise<number> {
  return (await rowsOf<{ count: number }>(`select count(*)::integer as count from ${text}`))[0]?.count as number;
}

test('an organization is filled with the requested sizes', async () => {
  const before = {
    users: await count('user_account where realm_id = $1'),
    channels: await count('channel where realm_id = $1'),
  };
  const filled = await fill(olivia);
  expect(filled).toEqual({
    realmId: olivia.realmId,
    users: 200,
    channels: 30,
    groups: 10,
    subscriptions: expect.any(Number),
  });
  expect((await count('user_account where realm_id = $1')) - before.users).toBe(200);
  expect((await count('channel where realm_id = $1')) - before.channels).toBe(30);
  expect(await count('user_group where realm_id = $1 and not is_system and name is not null')).toBe(10);
  expect(await count('user_account where realm_id = $1 and bot_owner_id is not null')).toBe(4);
  expect(await count('profile_value where realm_id = $1')).toBeGreaterThan(200);
  expect(Math.abs(filled.subscriptions / 1_200 - 1)).toBeLessThan(0.3);
});

test('no text is left to be rendered', async () => {
  await fill(olivia);
  const [channel] = await rowsOf<{ html: string }>(
    `select rendered_description as html from channel where realm_id = $1 and description like 'What concerns %' limit 1`,
  );
  expect(channel?.html).toMatch(/^<p>What concerns .+<\/p>$/);
  // The organization has its own description.
  for (const column of RENDERED_COLUMNS.filter(({ table }) => table !== 'realm')) {
    const stale = await listStaleTexts(ctx.db, column, null, 10_000);
    expect(stale.filter(({ realmId }) => realmId === olivia.realmId)).toEqual([]);
  }
});

test('everybody has a key, and active people were there lately', async () => {
  await fill(olivia);
  const active = await count('user_account where realm_id = $1 and is_active and not is_bot');
  expect(await count('api_key where realm_id = $1')).toBe(201);
  const { presences, lastUpdateId } = await listPresences(ctx, olivia, { withEmails: false });
  // The owner has not reported yet.
  expect(presences).toHaveLength(active - 1);
  expect(lastUpdateId).toBe(active - 1);
  const times = presences.map(({ connectedAtMs }) => connectedAtMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(
    await count(
      'presence_sequence where realm_id = $1 and last_id = (select max(update_id) from user_presence where realm_id = $1)',
    ),
  ).toBe(1);
});

test('channels count their subscribers and know their version, as if all had come one by one', async () => {
  await fill(olivia);
  const wrong = await rowsOf(
    `select c.name from channel c
     left join (
       select channel_id, count(*) filter (where to_version is null) as lasting,
         max(greatest(from_version, coalesce(to_version, 0))) as version
       from subscription_interval where realm_id = $1 group by channel_id
     ) history on history.channel_id = c.id
     where c.realm_id = $1
       and (c.subscriber_count <> coalesce(history.lasting, 0) or c.subscription_version <> coalesce(history.version, 0))`,
  );
  expect(wrong).toEqual([]);
});

test('exactly the active subscribers receive messages', async () => {
  await fill(olivia);
  const wrong = await rowsOf(
    `select s.user_id from subscription s
     join user_account u on u.realm_id = s.realm_id and u.id = s.user_id
     left join subscription_interval i
       on i.realm_id = s.realm_id and i.channel_id = s.channel_id and i.user_id = s.user_id and i.to_version is null
     where s.realm_id = $1 and (i.user_id is not null) <> (s.is_active and u.is_active)`,
  );
  expect(wrong).toEqual([]);
});

test('system groups hold the new people by their roles, groups lie inside one another without a ring', async () => {
  await fill(olivia);
  const { groups } = await listGroups(ctx, olivia, { includesDeactivated: false });
  const members = await count(`user_account where realm_id = $1 and is_active and role = 400 and system_bot is null`);
  const direct = groups.find(({ name }) => name === 'role:fullmembers')?.memberIds.length as number;
  expect(direct).toBeGreaterThanOrEqual(members);
  const guests = await count('user_account where realm_id = $1 and is_active and role = 600');
  expect(groups.find(({ name }) => name === 'role:everyone')?.memberIds).toHaveLength(guests);
  const rings = await rowsOf(
    `with recursive inside (root, id) as (
       select group_id, subgroup_id from user_group_subgroup where realm_id = $1
       union select inside.root, s.subgroup_id from inside
       join user_group_subgroup s on s.realm_id = $1 and s.group_id = inside.id
     ) select root from inside where root = id`,
  );
  expect(rings).toEqual([]);
  expect(groups.some(({ isSystem, directSubgroupIds }) => !isSystem && directSubgroupIds.length > 0)).toBe(true);
});

test('the same seed makes the same, another seed something else', async () => {
  const picture = async (person: Person, seed: number) => {
    await fill(person, { users: 60, channels: 8, groups: 4, subscriptionsPerUser: 3, seed });
    return rowsOf(
      `select c.name as channel, u.email, i.from_version, i.to_version, s.color from subscription_interval i
       join channel c on c.realm_id = i.realm_id and c.id = i.channel_id
       join user_account u on u.realm_id = i.realm_id and u.id = i.user_id
       join subscription s on s.realm_id = i.realm_id and s.channel_id = i.channel_id and s.user_id = i.user_id
       where i.realm_id = $1 and u.email not like 'olivia%' order by c.name, u.email, i.from_version`,
      person,
    );
  };
  const [one, two, three] = [olivia, await newOrganization(ctx), await newOrganization(ctx)];
  const first = await picture(one, 5);
  expect(first.length).toBeGreaterThan(100);
  expect(await picture(two, 5)).toEqual(first);
  expect(await picture(three, 6)).not.toEqual(first);
});

test('later changes work as usual: accounts can be created, and clients must register again', async () => {
  await fill(olivia);
  expect(await payloadsOf(ctx, olivia, 'realm.filled')).toEqual([{}]);
  const account = await createUser(ctx, {
    subdomain: olivia.subdomain,
    email: 'late@example.org',
    fullName: 'Late',
    role: 400,
    mayCreateUsers: false,
  });
  expect(account.userId).toBeGreaterThan(0);
});

test('takes a constant number of statements', async () => {
  const cost = async (person: Person, wanted: Partial<FillRealmRequest>) => {
    const before = ctx.db.statementCount;
    await fill(person, wanted);
    return ctx.db.statementCount - before;
  };
  const few = await cost(olivia, { users: 20, channels: 3 });
  expect(await cost(await newOrganization(ctx), { users: 400, channels: 40 })).toBe(few);
});

test.each<[Partial<FillRealmRequest>, string]>([
  [{ users: 0 }, 'An organization is filled with at least one user.'],
  [{ users: 100_001 }, 'Too many users (limit: 100000)'],
  [{ channels: 20_001 }, 'Too many channels (limit: 20000)'],
  [{ groups: 5_001 }, 'Too many groups (limit: 5000)'],
  [{ subscriptionsPerUser: 1_001 }, 'Too many subscriptionsPerUser (limit: 1000)'],
  [{ users: 100_000, subscriptionsPerUser: 31 }, 'Too many subscriptions (limit: 3000000)'],
  [{ subdomain: 'nowhere' }, 'Invalid subdomain'],
])('%j is refused: %s', async (wanted, reason) => {
  await expect(fill(olivia, wanted)).rejects.toThrow(reason);
});

test('a second time it is refused, and nothing is added', async () => {
  await fill(olivia);
  const before = await count('user_account where realm_id = $1');
  await expect(fill(olivia, { seed: 1 })).rejects.toThrow('fill an organization once');
  expect(await count('user_account where realm_id = $1')).toBe(before);
});
