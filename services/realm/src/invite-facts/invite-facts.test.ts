import type { GetInviteFactsRequest } from '@parley/shared/proto';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, freshName, join, newGroup, newOrganization, newUser, type Person } from '../../test/examples';
import { getInviteFacts, listAdministrators } from './invite-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const hamlet = memberOfEachTest(ctx, olivia);

const factsOf = (person: Person, wanted: Partial<GetInviteFactsRequest> = {}) =>
  getInviteFacts(ctx, person, { channelIds: [], groupIds: [], emails: [], ...wanted });

const choose = (settings: object) =>
  ctx.db.query('update realm set settings = settings || $2::jsonb where id = $1', [
    olivia.realmId,
    JSON.stringify(settings),
  ]);

test('contains the caller, the organization and the permissions', async () => {
  expect(await factsOf(hamlet)).toMatchObject({
    actor: { id: hamlet.userId },
    mayInvite: true,
    mayCreateLinks: false,
    organizationName: 'Example',
    subdomain: olivia.subdomain,
    isInviteRequired: true,
    administratorIds: [olivia.userId],
  });
  expect(await factsOf(olivia)).toMatchObject({ mayInvite: true, mayCreateLinks: true });
  await choose({ invite_required: false });
  expect(await factsOf(olivia)).toMatchObject({ isInviteRequired: false });
});

test.each([
  ['guests', { role: 600 }, 'Not allowed for guest users'],
  ['bots', { botType: 1, botOwnerEmail: 'olivia@example.com' }, 'This endpoint does not accept bot requests.'],
])('refuses %s', async (_who, wanted, message) => {
  const person = await newUser(ctx, olivia, wanted);
  await expect(factsOf(person)).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
});

test('active administrators are listed, bots included', async () => {
  const [admin, former] = [await newUser(ctx, olivia, { role: 200 }), await newUser(ctx, olivia, { role: 200 })];
  const bot = await newUser(ctx, olivia, { role: 200, botType: 1, botOwnerEmail: olivia.email });
  await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id = $2', [
    olivia.realmId,
    former.userId,
  ]);
  const expected = [olivia.userId, admin.userId, bot.userId];
  expect((await factsOf(hamlet)).administratorIds).toEqual(expected);
  expect(await listAdministrators(ctx, { realmId: olivia.realmId })).toEqual({ userIds: expected });
});

describe('channels', () => {
  const secret = { newChannel: { isPrivate: true } };

  test('are those that the inviter may read, and the default ones', async () => {
    await join(ctx, olivia, ['open', 'everywhere']);
    await join(ctx, olivia, ['secret'], secret);
    await join(ctx, hamlet, ['own'], secret);
    const ids = await channelIds(ctx, olivia);
    await ctx.db.query(`update channel set is_default = name = 'everywhere' where realm_id = $1`, [olivia.realmId]);
    const { channels } = await factsOf(hamlet, { channelIds: [...Object.values(ids), 0, -1, 99_999_999] });
    const byId = new Map(channels.map(({ id, ...rest }) => [id, rest]));
    expect(byId.get(ids['open'] as number)).toEqual({ isDefault: false, mayAddSubscribers: true });
    expect(byId.get(ids['everywhere'] as number)).toEqual({ isDefault: true, mayAddSubscribers: true });
    expect(byId.get(ids['own'] as number)).toEqual({ isDefault: false, mayAddSubscribers: true });
    expect(byId.has(ids['secret'] as number)).toBe(false);
  });

  test('are none of another organization, and no archived ones', async () => {
    const stranger = await newOrganization(ctx);
    await join(ctx, stranger, ['theirs']);
    await join(ctx, hamlet, ['old']);
    const ids = [...Object.values(await channelIds(ctx, stranger)), (await channelIds(ctx, olivia))['old'] as number];
    await ctx.db.query(`update channel set is_archived = true where realm_id = $1 and name = 'old'`, [olivia.realmId]);
    expect((await factsOf(hamlet, { channelIds: ids })).channels).toEqual([]);
  });

  test('take the right to add people, or they are only shown', async () => {
    await join(ctx, olivia, ['open']);
    await ctx.db.query(
      `insert into realm_group_setting (realm_id, name, group_id)
       select $1, 'can_add_subscribers_group', id from user_group where realm_id = $1 and name = 'role:nobody'
       on conflict (realm_id, name) do update set group_id = excluded.group_id`,
      [olivia.realmId],
    );
    const wanted = { channelIds: [(await channelIds(ctx, olivia))['open'] as number] };
    expect((await factsOf(hamlet, wanted)).channels).toMatchObject([{ mayAddSubscribers: false }]);
    expect((await factsOf(olivia, wanted)).channels).toMatchObject([{ mayAddSubscribers: true }]);
  });
});

test('groups require the right to add members; system groups cannot be granted', async () => {
  const id = await newGroup(ctx, olivia, { name: freshName('group') });
  const [system] = await ctx.db.query<{ id: number }>(
    `select id from user_group where realm_id = $1 and name = 'role:members'`,
    [olivia.realmId],
  );
  const groupIds = [id, system?.id as number, 99_999_999];
  const groupsOf = async (person: Person) =>
    (await factsOf(person, { groupIds })).groups.filter((group) => group.id === id);
  expect(await groupsOf(olivia)).toEqual([{ id, isDeactivated: false, mayAddMembers: true }]);
  expect(await groupsOf(hamlet)).toEqual([{ id, isDeactivated: false, mayAddMembers: false }]);
  const { groups } = await factsOf(olivia, { groupIds });
  expect(groups.find((group) => group.id === system?.id)).toMatchObject({ mayAddMembers: false });
  expect(groups).toHaveLength(2);
});

describe('addresses', () => {
  const objectionsTo = async (emails: string[]) =>
    (await factsOf(hamlet, { emails })).addresses.map(({ objection, holder }) => objection || holder);

  test('are checked as those of new accounts, in order', async () => {
    const former = await newUser(ctx, olivia);
    await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id = $2', [
      olivia.realmId,
      former.userId,
    ]);
    const emails = [
      'free+1@example.com',
      'nobody',
      hamlet.email.toUpperCase(),
      former.email,
      'a@mailinator.com',
      'a\0@b.c',
    ];
    expect(await objectionsTo(emails)).toEqual(['', 'invalid', 'active', 'deactivated', 'disposable', 'invalid']);
    expect(await objectionsTo(['notification-bot@system.invalid'])).toEqual(['system-bot']);
  });

  test('must be of the allowed domains, if there are any', async () => {
    await choose({ emails_restricted_to_domains: true });
    await ctx.db.query(
      `insert into allowed_domain (realm_id, domain, allows_subdomains) values ($1, 'a.example', false), ($1, 'b.example', true)`,
      [olivia.realmId],
    );
    const emails = ['x@a.example', 'x@sub.a.example', 'x@sub.B.example', 'x+y@a.example', hamlet.email];
    expect(await objectionsTo(emails)).toEqual(['', 'domain', '', 'plus', 'domain']);
  });
});

test('takes as many statements for many addresses, channels and groups as for one of each', async () => {
  await join(ctx, olivia, ['one', 'two', 'three']);
  const ids = Object.values(await channelIds(ctx, olivia));
  const groupIds = [await newGroup(ctx, olivia, { name: 'g' }), await newGroup(ctx, olivia, { name: 'h' })];
  const emails = Array.from({ length: 50 }, (_, index) => `e${index}@example.com`);
  const statements = async (wanted: GetInviteFactsRequest) => {
    const before = ctx.db.statementCount;
    await factsOf(hamlet, wanted);
    return ctx.db.statementCount - before;
  };
  const few = { channelIds: ids.slice(0, 1), groupIds: groupIds.slice(0, 1), emails: emails.slice(0, 1) };
  expect(await statements({ channelIds: ids, groupIds, emails })).toBe(await statements(few));
});
