import { getMessages, getRealmPresence, listGroups, listUsers, updateRealm } from '@parley/gateway/endpoints';
import type { TestClient, TestNetwork } from '../../../src';
import type { Followers } from '../harness';

/** From then on guests see bots and the people they meet only. */
export async function restrictGuests({ iris }: TestNetwork): Promise<void> {
  const { user_groups: groups } = await iris.call(listGroups, {});
  const members = groups.find(({ name }) => name === 'role:members')?.id as number;
  await iris.call(updateRealm, { can_access_all_users_group: { new: members } });
}

/** People whom this guest may not see: they share no channel, and have never exchanged messages. Made-up addresses name nobody. */
const HIDDEN = `
  select u.full_name as name, nullif(u.email, 'user' || u.id || '@hidden.invalid') as email, u.delivery_email as "realEmail"
  from user_account guest join user_account u on u.realm_id = guest.realm_id and u.id <> guest.id and not u.is_bot
  where guest.id = $1 and guest.role = 600
    and exists (
      select 1 from realm_group_setting s join user_group g on g.realm_id = s.realm_id and g.id = s.group_id
      where s.realm_id = guest.realm_id and s.name = 'can_access_all_users_group' and g.name = 'role:members')
    and not exists (
      select 1 from subscription mine join subscription theirs on theirs.channel_id = mine.channel_id
      where mine.user_id = guest.id and mine.is_active and theirs.user_id = u.id and theirs.is_active and u.is_active)
    and not exists (select 1 from direct_contact d where d.user_id = guest.id and d.contact_id = u.id)`;

/** Nothing that a follower knows, or may ask for, names somebody who is hidden from them. */
export async function expectHidden(network: TestNetwork, followers: Followers): Promise<void> {
  const shown: string[] = [];
  for (const { name, client, state } of followers) {
    const rows = await network.database('realm').query<Record<string, string | null>>(HIDDEN, [client.userId]);
    const hidden = new Set(rows.flatMap((row) => Object.values(row)).filter((text) => text !== null && text !== ''));
    if (hidden.size > 0) shown.push(...placesOf({ state, answers: await answersTo(client) }, hidden, name));
  }
  expect(shown).toEqual([]);
}

async function answersTo(client: TestClient): Promise<unknown[]> {
  const narrow = [{ operator: 'channels', operand: 'web-public' }];
  return [
    await client.call(listUsers, {}),
    await client.call(getRealmPresence, {}),
    await client.call(getMessages, { anchor: 'newest', num_before: 100, narrow }),
  ];
}

/** Where a value, or the name of a member, is one of these texts: contents of messages may mention anybody. */
function placesOf(value: unknown, texts: ReadonlySet<unknown>, path: string): string[] {
  if (typeof value !== 'object' || value === null) return texts.has(value) ? [`${path} is ${value}`] : [];
  return Object.entries(value).flatMap(([name, item]) => [
    ...(texts.has(name) ? [`${path} has ${name}`] : []),
    ...placesOf(item, texts, `${path}.${name}`),
  ]);
}
