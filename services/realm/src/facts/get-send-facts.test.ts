import type { SendFacts, SendFactsQuery } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newGroup, newOrganization, newUser, type Person } from '../../test/examples';
import { addLinkifier } from '../organization-lists/linkifiers';
import { getSendFacts } from './get-send-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

function queryOf({ realmId, userId }: Caller, asked: Partial<SendFactsQuery>): SendFactsQuery {
  const lists = {
    recipientIds: [],
    recipientEmails: [],
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
    emojiNames: [],
  };
  return { realmId, senderId: userId, ...lists, ...asked };
}

async function factsFor(sender: Caller, asked: Partial<SendFactsQuery>): Promise<SendFacts> {
  const { facts } = await getSendFacts(ctx, { queries: [queryOf(sender, asked)] });
  return facts[0] as SendFacts;
}

const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id).sort((a, b) => a - b);

describe('the facts of a send', () => {
  test('hold the organization, the sender and the channel, found by id or by name in any casing', async () => {
    await join(ctx, olivia, ['Käse']);
    const { Käse: channelId } = await channelIds(ctx, olivia);
    const byName = await factsFor(olivia, { channelName: 'KÄSE' });
    expect(byName).toMatchObject({
      realm: { id: olivia.realmId, subdomain: olivia.subdomain, topicsPolicy: 'allow_empty_topic' },
      sender: { id: olivia.userId, email: olivia.email, role: 100, isActive: true },
      channel: {
        channel: { id: channelId, name: 'Käse', creatorId: olivia.userId, subscriptionVersion: 1, subscriberCount: 1 },
        isSenderSubscribed: true,
        isInSendGroup: true,
        hasContentAccess: true,
      },
      recipients: [],
      mentionedUsers: [],
      mentionedGroups: [],
      linkedChannels: [],
    });
    expect(byName.sender).not.toHaveProperty('botType');
    expect(byName.channel?.channel).not.toHaveProperty('messageRetentionDays');
    expect(await factsFor(olivia, { channelId: channelId as number })).toEqual(byName);
  });

  test('lack a channel that this organization does not have', async () => {
    const stranger = await newOrganization(ctx);
    const { general } = await channelIds(ctx, stranger);
    for (const asked of [
      { channelId: general as number },
      { channelId: 2 ** 63 },
      { channelName: 'nope' },
      { channelName: '\0' },
    ]) {
      expect((await factsFor(olivia, asked)).channel).toBeNull();
    }
  });

  test('say of an archived channel that it is one', async () => {
    await ctx.db.query(`update channel set is_archived = true where realm_id = $1 and name = 'general'`, [
      olivia.realmId,
    ]);
    expect((await factsFor(olivia, { channelName: 'general' })).channel?.channel?.isArchived).toBe(true);
  });

  test('for many sends come in order, from one statement', async () => {
    const iago = await newUser(ctx, olivia);
    const stranger = await newOrganization(ctx);
    const queries = [
      queryOf(iago, { channelName: 'general' }),
      queryOf(stranger, { channelName: 'sandbox' }),
      queryOf(olivia, { recipientIds: [iago.userId] }),
      queryOf({ ...olivia, userId: stranger.userId }, { channelName: 'general' }),
      queryOf(iago, { channelName: 'general' }),
    ];
    const before = ctx.db.statementCount;
    const { facts } = await getSendFacts(ctx, { queries });
    expect(ctx.db.statementCount - before).toBe(1);
    expect(facts.map(({ sender, channel }) => [sender?.id, channel?.channel?.name])).toEqual([
      [iago.userId, 'general'],
      [stranger.userId, 'sandbox'],
      [olivia.userId, undefined],
      [undefined, undefined],
      [iago.userId, 'general'],
    ]);
    expect(facts[4]).toEqual(facts[0]);
    expect(await getSendFacts(ctx, { queries: [] })).toEqual({ facts: [] });
  });
});

describe('permission to read and post in a channel', () => {
  const accessOf = async (sender: Caller, channelName: string) => {
    const { channel } = await factsFor(sender, { channelName });
    return [channel?.isSenderSubscribed, channel?.isInSendGroup, channel?.hasContentAccess];
  };

  test('of members, guests and bots', async () => {
    await join(ctx, olivia, ['open']);
    await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
    const [iago, guest] = [await newUser(ctx, olivia), await newUser(ctx, olivia, { role: 600 })];
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const guestBot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email, role: 600 });
    // Subscribed, in the send group, may read.
    expect(await accessOf(olivia, 'closed')).toEqual([true, true, true]);
    expect(await accessOf(iago, 'open')).toEqual([false, true, true]);
    expect(await accessOf(iago, 'closed')).toEqual([false, true, false]);
    expect(await accessOf(guest, 'open')).toEqual([false, true, false]);
    expect(await accessOf(guest, 'general')).toEqual([true, true, true]);
    expect(await accessOf(bot, 'closed')).toEqual([false, true, true]);
    expect(await accessOf(guestBot, 'open')).toEqual([false, true, false]);
    const isReachedByOwnerOnly = async (sender: Caller, channelName: string) =>
      (await factsFor(sender, { channelName })).channel?.isReachedByOwnerOnly;
    expect(await isReachedByOwnerOnly(bot, 'closed')).toBe(true);
    expect(await isReachedByOwnerOnly(bot, 'open')).toBe(false);
    expect(await isReachedByOwnerOnly(olivia, 'closed')).toBe(false);
    await ctx.db.query(`update channel set is_web_public = true where realm_id = $1 and name = 'open'`, [
      olivia.realmId,
    ]);
    expect(await accessOf(guest, 'open')).toEqual([false, true, true]);
  });

  test("follows the send group: by role, by name, through groups inside it, and through a bot's owner", async () => {
    const [iago, zoe, moderator] = [
      await newUser(ctx, olivia),
      await newUser(ctx, olivia),
      await newUser(ctx, olivia, { role: 300 }),
    ];
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
    await newGroup(ctx, olivia, { name: 'inner', members: [iago], subgroups: ['role:moderators'] });
    const outer = await newGroup(ctx, olivia, { name: 'outer', subgroups: ['inner'] });
    await ctx.db.query(`update channel set can_send_message_group_id = $2 where realm_id = $1 and name = 'general'`, [
      olivia.realmId,
      outer,
    ]);
    const mayPost = async (sender: Caller) =>
      (await factsFor(sender, { channelName: 'general' })).channel?.isInSendGroup;
    expect(await Promise.all([olivia, moderator, iago, bot, zoe].map(mayPost))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    expect(await mayPost(bot)).toBe(false);
  });
});

describe('recipients', () => {
  test('are found by id or by address, deactivated ones included', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia, { email: 'Zoe@Example.com' })];
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    const stranger = await newOrganization(ctx);
    const byId = await factsFor(olivia, { recipientIds: [iago.userId, stranger.userId, 2 ** 63, -1] });
    expect(byId.recipients).toMatchObject([{ id: iago.userId, isActive: false }]);
    const byAddress = await factsFor(olivia, { recipientEmails: ['ZOE@example.com', iago.email, 'x@y', '\0'] });
    expect(idsOf(byAddress.recipients)).toEqual(idsOf([{ id: iago.userId }, { id: zoe.userId }]));
    expect(byAddress.channel).toBeNull();
  });
});

describe('mentions', () => {
  const mentioned = async (...mentionedNames: string[]) =>
    idsOf((await factsFor(olivia, { mentionedNames })).mentionedUsers);

  test('find people by name in any casing, by an id with its exact name, or by the id only', async () => {
    const { userId } = await newUser(ctx, olivia, { fullName: 'Zoë Käse' });
    expect(await mentioned('zoë KÄSE')).toEqual([userId]);
    expect(await mentioned(`Zoë Käse|${userId}`)).toEqual([userId]);
    expect(await mentioned(`|${userId}`)).toEqual([userId]);
    expect(await mentioned('Zoë Käse', `|${userId}`)).toEqual([userId]);
    expect(await mentioned(`zoë käse|${userId}`)).toEqual([]);
    expect(await mentioned(`Zoë Käse|${olivia.userId}`)).toEqual([]);
    expect(await mentioned('Zoë', '|', '|x', `|${'9'.repeat(30)}`, '\0', '')).toEqual([]);
  });

  test('take one of several users of the same name, an active one first, unless an id is given', async () => {
    const twins = [await newUser(ctx, olivia, { fullName: 'Twin' }), await newUser(ctx, olivia, { fullName: 'twin' })];
    const [first, second] = twins.map(({ userId }) => userId) as [number, number];
    expect(await mentioned('Twin')).toEqual([first]);
    expect(await mentioned('Twin', `twin|${second}`)).toEqual([first, second]);
    await ctx.db.query('update user_account set is_active = false where id = $1', [first]);
    expect(await mentioned('Twin')).toEqual([second]);
    await ctx.db.query('update user_account set is_active = false where id = $1', [second]);
    const { mentionedUsers } = await factsFor(olivia, { mentionedNames: ['Twin'] });
    expect(mentionedUsers).toMatchObject([{ id: first, isActive: false }]);
  });

  test('of groups name the active members, subgroups included', async () => {
    const [iago, zoe, gone] = [await newUser(ctx, olivia), await newUser(ctx, olivia), await newUser(ctx, olivia)];
    await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
    await newGroup(ctx, olivia, { name: 'Inner', members: [iago, gone], subgroups: ['role:owners'] });
    await newGroup(ctx, olivia, { name: 'Outer', members: [zoe, iago], subgroups: ['Inner'] });
    await newGroup(ctx, olivia, { name: 'Empty' });
    const asked = { mentionedGroupNames: ['outer', 'Inner', 'EMPTY', 'unheard-of'] };
    const { mentionedGroups } = await factsFor(olivia, asked);
    const members = Object.fromEntries(mentionedGroups.map(({ name, memberIds }) => [name, memberIds]));
    expect(members).toEqual({
      Outer: [olivia.userId, iago.userId, zoe.userId],
      Inner: [olivia.userId, iago.userId],
      Empty: [],
    });
  });

  test('of system groups follow the roles', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const names = ['role:everyone', 'role:members', 'role:nobody'];
    const { mentionedGroups } = await factsFor(olivia, { mentionedGroupNames: names });
    expect(
      Object.fromEntries(mentionedGroups.map(({ name, isSystem, memberIds }) => [name, [isSystem, memberIds]])),
    ).toEqual({
      'role:everyone': [true, [olivia.userId, guest.userId]],
      'role:members': [true, [olivia.userId]],
      'role:nobody': [true, []],
    });
  });
});

describe('a group may be mentioned', () => {
  const mayMention = async (...senders: Caller[]) =>
    Promise.all(
      senders.map(
        async (sender) =>
          (await factsFor(sender, { mentionedGroupNames: ['cooks'] })).mentionedGroups[0]?.mayBeMentioned,
      ),
    );
  const allowOnly = (mentionGroupId: number, groupId: number) =>
    ctx.db.query(
      `insert into user_group_setting (realm_id, user_group_id, name, group_id) values ($1, $2, 'can_mention_group', $3)`,
      [olivia.realmId, groupId, mentionGroupId],
    );

  test('by everyone by default, and never if it is a system group', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    await newGroup(ctx, olivia, { name: 'cooks' });
    expect(await mayMention(olivia, guest)).toEqual([true, true]);
    const { mentionedGroups } = await factsFor(olivia, { mentionedGroupNames: ['role:members'] });
    expect(mentionedGroups[0]?.mayBeMentioned).toBe(false);
  });

  test('by members of the group that was set, through groups inside it and by role; owners and the owner of a bot are no exception', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    const moderator = await newUser(ctx, olivia, { role: 300 });
    const guest = await newUser(ctx, olivia, { role: 600 });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
    await newGroup(ctx, olivia, { name: 'inner', members: [iago, guest] });
    const chefs = await newGroup(ctx, olivia, { name: 'chefs', subgroups: ['inner'] });
    await allowOnly(chefs, await newGroup(ctx, olivia, { name: 'cooks' }));
    expect(await mayMention(iago, guest, olivia, moderator, zoe, bot)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    await ctx.db.query(
      `insert into user_group_subgroup (realm_id, group_id, subgroup_id)
       select $1, $2, id from user_group where realm_id = $1 and name = 'role:moderators'`,
      [olivia.realmId, chefs],
    );
    expect(await mayMention(iago, olivia, moderator, zoe, bot)).toEqual([true, true, true, false, false]);
  });
});

test('members in their waiting period are not full members, for posting and for mentions', async () => {
  const DAY_MS = 24 * 3600 * 1000;
  await ctx.db.query(`update realm set settings = settings || '{"waiting_period_threshold": 2}' where id = $1`, [
    olivia.realmId,
  ]);
  await ctx.db.query(
    `update channel set can_send_message_group_id = (
       select id from user_group where realm_id = $1 and name = 'role:fullmembers') where realm_id = $1`,
    [olivia.realmId],
  );
  const iago = await newUser(ctx, olivia);
  const facts = async () => {
    const { channel, mentionedGroups } = await factsFor(iago, {
      channelName: 'general',
      mentionedGroupNames: ['role:members', 'role:fullmembers'],
    });
    const members = Object.fromEntries(mentionedGroups.map(({ name, memberIds }) => [name, memberIds]));
    return [channel?.isInSendGroup, members['role:members'], members['role:fullmembers']];
  };
  const everyone = [olivia.userId, iago.userId];
  expect(await facts()).toEqual([false, everyone, [olivia.userId]]);
  ctx.clock.advance(2 * DAY_MS);
  expect(await facts()).toEqual([true, everyone, everyone]);
});

test('channel links match names exactly, of channels not archived', async () => {
  await join(ctx, olivia, ['Linked', 'old']);
  await ctx.db.query(`update channel set is_archived = true where realm_id = $1 and name = 'old'`, [olivia.realmId]);
  const { Linked: id } = await channelIds(ctx, olivia);
  const linkedChannelNames = ['Linked', 'GENERAL', 'old', 'nope', '\0'];
  expect((await factsFor(olivia, { linkedChannelNames })).linkedChannels).toEqual([{ id, name: 'Linked' }]);
});

describe('channels hidden from the sender', () => {
  const knows = async (sender: Caller, name: string) => {
    const { channel, linkedChannels } = await factsFor(sender, { channelName: 'general', linkedChannelNames: [name] });
    expect(channel?.isHidden).toBe(false);
    const { channel: target } = await factsFor(sender, { channelName: name });
    expect(target?.isHidden).toBe(linkedChannels.length === 0);
    return linkedChannels.length === 1;
  };

  test('can be neither linked to nor used as a destination', async () => {
    await join(ctx, olivia, ['open']);
    const [iago, guest, admin] = [
      await newUser(ctx, olivia),
      await newUser(ctx, olivia, { role: 600 }),
      await newUser(ctx, olivia, { role: 200 }),
    ];
    const group = await newGroup(ctx, olivia, { name: 'insiders' });
    await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const strangersBot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
    const all = [olivia, admin, bot, iago, strangersBot, guest];
    expect(await Promise.all(all.map((user) => knows(user, 'closed')))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(await Promise.all(all.map((user) => knows(user, 'open')))).toEqual([true, true, true, true, true, false]);
    await ctx.db.query(
      `insert into channel_group_setting (realm_id, channel_id, name, group_id)
       select realm_id, id, 'can_subscribe_group', $2 from channel where realm_id = $1 and name = 'closed'
       on conflict (realm_id, channel_id, name) do update set group_id = excluded.group_id`,
      [olivia.realmId, group],
    );
    await ctx.db.query(
      `insert into user_group_member (realm_id, group_id, user_id) values ($1, $2, $3), ($1, $2, $4)`,
      [olivia.realmId, group, iago.userId, guest.userId],
    );
    expect([await knows(iago, 'closed'), await knows(guest, 'closed')]).toEqual([true, false]);
  });

  test('are visible to their creator, as long as the right to administer them was given to no one else', async () => {
    const iago = await newUser(ctx, olivia);
    await join(ctx, iago, ['closed'], { newChannel: { isPrivate: true } });
    await ctx.db.query(
      'update subscription set is_active = false where realm_id = $1 and user_id = $2 and channel_id = (select id from channel where realm_id = $1 and name = $3)',
      [olivia.realmId, iago.userId, 'closed'],
    );
    expect(await knows(iago, 'closed')).toBe(true);
  });

  test('are linked to by system bots if the recipient may see them', async () => {
    const iago = await newUser(ctx, olivia);
    await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
    const [bot] = await ctx.db.query<{ id: number }>(
      `select id from user_account where realm_id = $1 and system_bot = 'notification-bot'`,
      [olivia.realmId],
    );
    const asBot = { realmId: olivia.realmId, userId: bot?.id as number } as Person;
    const isLinked = async (asked: Partial<SendFactsQuery>) =>
      (await factsFor(asBot, { linkedChannelNames: ['closed'], ...asked })).linkedChannels.length === 1;
    expect(await isLinked({ recipientIds: [olivia.userId] })).toBe(true);
    expect(await isLinked({ recipientIds: [iago.userId] })).toBe(false);
    expect(await isLinked({ channelName: 'closed' })).toBe(true);
    expect(await isLinked({ channelName: 'general' })).toBe(false);
  });
});

test('linkifiers come in the order in which they are applied, of this organization only', async () => {
  const stranger = await newOrganization(ctx);
  for (const pattern of ['B', 'A']) await addLinkifier(ctx, olivia, { pattern, urlTemplate: 'https://example.com/' });
  const { facts } = await getSendFacts(ctx, { queries: [queryOf(olivia, {}), queryOf(stranger, {})] });
  expect(facts.map(({ linkifiers }) => linkifiers.map(({ pattern }) => pattern))).toEqual([['B', 'A'], []]);
});

test('a batch has a bound', async () => {
  const queries = Array.from({ length: 1001 }, () => queryOf(olivia, {}));
  await expect(getSendFacts(ctx, { queries })).rejects.toThrow('Too many queries');
});

describe('a credential is confirmed', () => {
  const isGood = async (sender: Person, credential: { apiKeyId: number; email: string }) => {
    const whole = await factsFor(sender, { channelName: 'general', credential });
    const short = await factsFor(sender, { channelName: 'general', credential, omitsOrganization: true });
    expect(short.isCredentialGood).toBe(whole.isCredentialGood);
    return whole.isCredentialGood;
  };
  const credentialOf = async ({ realmId, userId, email }: Person) => {
    const [key] = await ctx.db.query<{ id: number }>(
      'select id from api_key where realm_id = $1 and user_id = $2 and revoked_at is null',
      [realmId, userId],
    );
    return { apiKeyId: key?.id as number, email };
  };

  test('while the key is one of the sender’s and the address is theirs, in any casing', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    const credential = await credentialOf(iago);
    expect(await isGood(iago, { ...credential, email: iago.email.toUpperCase() })).toBe(true);
    expect(await isGood(zoe, { ...credential, email: zoe.email })).toBe(false);
    expect(await isGood(iago, { ...credential, email: zoe.email })).toBe(false);
    expect((await factsFor(iago, { channelName: 'general' })).isCredentialGood).toBe(true);
  });

  test.each([
    ['the key is revoked', 'update api_key set revoked_at = now() where realm_id = $1 and user_id = $2'],
    ['the account is deactivated', 'update user_account set is_active = false where realm_id = $1 and id = $2'],
    ['the organization is closed', 'update realm set is_deactivated = true where id = $1 and $2::bigint > 0'],
  ])('no more when %s', async (_, change) => {
    const iago = await newUser(ctx, olivia);
    const credential = await credentialOf(iago);
    expect(await isGood(iago, credential)).toBe(true);
    await ctx.db.query(change, [iago.realmId, iago.userId]);
    expect(await isGood(iago, credential)).toBe(false);
  });
});
