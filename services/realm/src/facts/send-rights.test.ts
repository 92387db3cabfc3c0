import type { SendFacts, SendFactsQuery } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { BOT_TYPES } from '@parley/shared/values';
import { asCaller, idOf, makeBot } from '../../test/bots';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, leave, newGroup, newUser } from '../../test/examples';
import { meetDirectly, restrictGuests } from '../../test/restrict-guests';
import { getSendFacts } from './get-send-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

async function factsFor({ realmId, userId }: Caller, asked: Partial<SendFactsQuery>): Promise<SendFacts> {
  const nothing = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const query = { realmId, senderId: userId, recipientIds: [], recipientEmails: [], ...nothing, ...asked };
  return (await getSendFacts(ctx, { queries: [query] })).facts[0] as SendFacts;
}

const setOfRealm = (name: string, groupId: number) =>
  ctx.db.query(
    `insert into realm_group_setting (realm_id, name, group_id) values ($1, $2, $3)
     on conflict (realm_id, name) do update set group_id = excluded.group_id`,
    [olivia.realmId, name, groupId],
  );

async function systemGroup(name: string): Promise<number> {
  const rows = await ctx.db.query<{ id: number }>('select id from user_group where realm_id = $1 and name = $2', [
    olivia.realmId,
    name,
  ]);
  return (rows[0] as { id: number }).id;
}

describe('topics of a channel', () => {
  test('are created by everyone, or by the group of the setting, and by bots with an owner in it', async () => {
    await join(ctx, olivia, ['plans']);
    const { plans } = await channelIds(ctx, olivia);
    const channelId = plans as number;
    const bot = asCaller(iago, await makeBot(ctx, iago));
    const mayCreate = async (...senders: Caller[]) =>
      Promise.all(senders.map(async (sender) => (await factsFor(sender, { channelId })).channel?.mayCreateTopics));
    expect(await mayCreate(olivia, iago, bot)).toEqual([true, true, true]);
    const group = await newGroup(ctx, olivia, { name: 'planners', members: [iago] });
    await ctx.db.query(
      `insert into channel_group_setting (realm_id, channel_id, name, group_id) values ($1, $2, 'can_create_topic_group', $3)`,
      [olivia.realmId, channelId, group],
    );
    expect(await mayCreate(olivia, iago, bot)).toEqual([false, true, true]);
  });

  test('the facts say whether the sender has muted the channel, and which part of it is visible', async () => {
    await join(ctx, olivia, ['open']);
    await join(ctx, olivia, ['vault'], { newChannel: { isPrivate: true, isHistoryPublic: false } });
    const { open, vault } = (await channelIds(ctx, olivia)) as { open: number; vault: number };
    await ctx.db.query('update subscription set is_muted = true where channel_id = $1', [open]);
    const ofOpen = { isMuted: true, isHistoryProtected: false, seenIntervals: [] };
    expect((await factsFor(olivia, { channelId: open })).channel).toMatchObject(ofOpen);
    const { channel } = await factsFor(olivia, { channelId: vault });
    const version = channel?.channel?.subscriptionVersion;
    expect(channel).toMatchObject({
      isMuted: false,
      isHistoryProtected: true,
      seenIntervals: [{ fromVersion: version }],
    });
  });
});

describe('direct messages', () => {
  const direct = async (sender: Caller, ...recipientIds: number[]) => (await factsFor(sender, { recipientIds })).direct;
  const free = { areRecipientsKnown: true, isDisabled: false, isAuthorized: true, mayInitiate: true };

  test('are allowed without a setting', async () => {
    expect(await direct(iago, olivia.userId)).toEqual(free);
    expect((await factsFor(iago, { recipientEmails: [olivia.email] })).direct).toEqual(free);
    expect((await factsFor(iago, {})).direct).toBeNull();
  });

  test('require one participant in the group, by name or by role', async () => {
    const zoe = await newUser(ctx, olivia);
    await setOfRealm(
      'direct_message_permission_group',
      await newGroup(ctx, olivia, { name: 'writers', members: [zoe] }),
    );
    expect(await direct(iago, olivia.userId)).toEqual({ ...free, isAuthorized: false });
    expect(await direct(iago, zoe.userId)).toEqual(free);
    expect(await direct(zoe, iago.userId)).toEqual(free);
    expect((await factsFor(iago, { recipientEmails: [zoe.email] })).direct).toEqual(free);
    await setOfRealm('direct_message_permission_group', await systemGroup('role:owners'));
    expect(await direct(iago, olivia.userId)).toEqual(free);
    expect(await direct(iago, zoe.userId)).toEqual({ ...free, isAuthorized: false });
    await setOfRealm('direct_message_permission_group', await systemGroup('role:nobody'));
    expect(await direct(olivia, iago.userId)).toEqual({ ...free, isAuthorized: false, isDisabled: true });
  });

  test('are started by the group of the setting', async () => {
    await setOfRealm(
      'direct_message_initiator_group',
      await newGroup(ctx, olivia, { name: 'callers', members: [iago] }),
    );
    expect(await direct(iago, olivia.userId)).toEqual(free);
    expect(await direct(olivia, iago.userId)).toEqual({ ...free, mayInitiate: false });
  });

  test('of a restricted guest reach users they meet', async () => {
    await ctx.db.query('update channel set is_default = false where realm_id = $1', [olivia.realmId]);
    const guest = await newUser(ctx, olivia, { role: 600 });
    await restrictGuests(ctx, olivia);
    const strangers = { ...free, areRecipientsKnown: false };
    expect(await direct(guest, iago.userId)).toEqual(strangers);
    await meetDirectly(ctx.db, guest, iago);
    expect(await direct(guest, iago.userId)).toEqual(free);
    expect(await direct(guest, iago.userId, olivia.userId)).toEqual(strangers);
  });
});

test('wildcard mentions are allowed for administrators, and for the group of the setting', async () => {
  const mayMentionMany = async (sender: Caller) => (await factsFor(sender, { mentionsMany: true })).mayMentionMany;
  expect([await mayMentionMany(olivia), await mayMentionMany(iago)]).toEqual([true, false]);
  await setOfRealm('can_mention_many_users_group', await newGroup(ctx, olivia, { name: 'callers', members: [iago] }));
  expect([await mayMentionMany(olivia), await mayMentionMany(iago)]).toEqual([false, true]);
});

describe('a mention makes users follow the topic', () => {
  const followers = async (channelId: number, asked: Partial<SendFactsQuery>) =>
    (await factsFor(olivia, { channelId, ...asked })).mentionFollowerIds.sort((a, b) => a - b);

  test('by name, by id or through a group, unless they have disabled that', async () => {
    const [zoe, wary] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    const bot = idOf(await makeBot(ctx, olivia));
    await join(ctx, olivia, ['open']);
    const { open } = (await channelIds(ctx, olivia)) as { open: number };
    await ctx.db.query('insert into user_settings (realm_id, user_id, chosen) values ($1, $2, $3)', [
      olivia.realmId,
      wary.userId,
      '{"automatically_follow_topics_where_mentioned": false}',
    ]);
    await newGroup(ctx, olivia, { name: 'cooks', members: [zoe, wary] });
    const mentionedNames = [`|${iago.userId}`, `|${wary.userId}`, `|${bot}`];
    await join(ctx, olivia, ['open'], { principalIds: [iago.userId, wary.userId, zoe.userId, bot] });
    expect(await followers(open, { mentionedNames })).toEqual([iago.userId]);
    expect(await followers(open, { mentionedNames, mentionedGroupNames: ['cooks'] })).toEqual([
      iago.userId,
      zoe.userId,
    ]);
  });

  test('unless they do not get the message', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    await join(ctx, olivia, ['open']);
    await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
    const { open, closed } = (await channelIds(ctx, olivia)) as { open: number; closed: number };
    const mentionedNames = [`|${iago.userId}`, `|${guest.userId}`];
    await leave(ctx, iago, ['open']);
    expect(await followers(open, { mentionedNames })).toEqual([]);
    expect(await followers(closed, { mentionedNames })).toEqual([]);
    await join(ctx, olivia, ['closed'], { principalIds: [iago.userId, guest.userId] });
    expect(await followers(closed, { mentionedNames })).toEqual([iago.userId, guest.userId]);
  });
});

test('bots outside of a readable channel are called when they are mentioned', async () => {
  const [inside, outside] = [idOf(await makeBot(ctx, olivia)), idOf(await makeBot(ctx, olivia))];
  await join(ctx, olivia, ['lobby'], { principalIds: [olivia.userId, inside] });
  await join(ctx, olivia, ['vault'], { newChannel: { isPrivate: true } });
  const { lobby, vault } = (await channelIds(ctx, olivia)) as { lobby: number; vault: number };
  const member = idOf(await makeBot(ctx, olivia));
  const hook = idOf(await makeBot(ctx, olivia, { botType: BOT_TYPES.incomingWebhook }));
  await newGroup(ctx, olivia, {
    name: 'robots',
    members: [inside, member, hook].map((userId) => ({ ...olivia, userId })),
  });
  const mentionedNames = [`|${inside}`, `|${outside}`, `|${hook}`, `|${iago.userId}`];
  const called = async (channelId: number, mentionedGroupNames: string[] = []) =>
    (await factsFor(olivia, { channelId, mentionedNames, mentionedGroupNames })).calledBotIds;
  expect([await called(lobby), await called(vault)]).toEqual([[outside], []]);
  expect([await called(lobby, ['robots']), await called(vault, ['robots'])]).toEqual([[outside, member], []]);
});

test('a bot sends to its default channel when it names none; its owner is warned about channels without subscribers', async () => {
  await join(ctx, olivia, ['news']);
  const { news } = await channelIds(ctx, olivia);
  const bot = asCaller(olivia, await makeBot(ctx, olivia, { defaultSendingChannel: 'news' }));
  const byDefault = { usesDefaultChannel: true };
  const sent = await factsFor(bot, byDefault);
  expect(sent.channel?.channel).toMatchObject({ id: news });
  expect(sent).not.toHaveProperty('notificationBotId');
  expect((await factsFor(olivia, byDefault)).channel).toBeNull();
  await leave(ctx, olivia, ['news']);
  expect((await factsFor(bot, byDefault)).notificationBotId).toEqual(expect.any(Number));
  expect((await factsFor(bot, { channelName: 'nowhere' })).notificationBotId).toEqual(expect.any(Number));
  expect(await factsFor(olivia, { channelName: 'nowhere' })).not.toHaveProperty('notificationBotId');
});
