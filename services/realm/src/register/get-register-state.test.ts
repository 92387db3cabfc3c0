import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newGroup, newOrganization, newUser } from '../../test/examples';
import { getRegisterState } from './get-register-state';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

test('accounts come by id: active and not, people and bots, the service’s own too, of this organization', async () => {
  const iago = await newUser(ctx, olivia);
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  await newOrganization(ctx);
  await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
  const { realm, ownUser, users } = await getRegisterState(ctx, olivia);
  expect([realm?.subdomain, ownUser?.id]).toEqual([olivia.subdomain, olivia.userId]);
  expect(users).toMatchObject([
    { fullName: 'Notification Bot', isSystemBot: true },
    { fullName: 'Welcome Bot', isSystemBot: true },
    { id: olivia.userId, isActive: true, isBot: false },
    { id: iago.userId, isActive: false },
    { id: bot.userId, isBot: true, botOwnerId: iago.userId },
  ]);
});

test('every visible channel is in one of three lists', async () => {
  const iago = await newUser(ctx, olivia);
  await join(ctx, olivia, ['open', 'left']);
  await join(ctx, olivia, ['closed', 'lost'], { newChannel: { isPrivate: true } });
  await join(ctx, olivia, ['left', 'lost'], { principalIds: [iago.userId] });
  const { left, lost } = await channelIds(ctx, olivia);
  await ctx.db.query('update subscription set is_active = false where user_id = $1 and channel_id = any($2)', [
    iago.userId,
    [left, lost],
  ]);
  const { subscriptions, unsubscribed, neverSubscribed } = await getRegisterState(ctx, iago);
  expect(subscriptions.map(({ channel }) => channel?.name)).toEqual(['general', 'sandbox', 'tips']);
  expect(unsubscribed.map(({ channel }) => channel?.name)).toEqual(['left']);
  expect(neverSubscribed.map(({ name }) => name)).toEqual(['open']);
});

test('a subscription contains the properties set by the user only', async () => {
  await ctx.db.query(
    `update subscription set is_muted = true, push_notifications = false, color = '#ffffff' where user_id = $1`,
    [olivia.userId],
  );
  const { subscriptions } = await getRegisterState(ctx, olivia);
  const { channel, ...properties } = subscriptions[0] as (typeof subscriptions)[0];
  expect(properties).toEqual({ color: '#ffffff', isMuted: true, isPinned: false, pushNotifications: false });
  expect(channel).toEqual({
    id: expect.any(Number),
    name: 'general',
    description: 'For team-wide conversations',
    renderedDescription: '<p>For team-wide conversations</p>',
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
    isArchived: false,
    topicsPolicy: 'inherit',
    subscriptionVersion: 1,
    subscriberCount: 1,
    createdAtMs: ctx.clock.now(),
    groupSettings: expect.objectContaining({ can_send_message_group: expect.anything() }),
    postPolicy: 1,
  });
});

test('default channels are listed for members, not for guests', async () => {
  const guest = await newUser(ctx, olivia, { role: 600 });
  const { general, sandbox, tips } = await channelIds(ctx, olivia);
  expect((await getRegisterState(ctx, olivia)).defaultChannelIds).toEqual([general, sandbox, tips]);
  expect((await getRegisterState(ctx, guest)).defaultChannelIds).toEqual([]);
});

test('groups list their direct members: by role in system groups, as stored in others', async () => {
  const [moderator, member, guest] = [
    await newUser(ctx, olivia, { role: 300 }),
    await newUser(ctx, olivia),
    await newUser(ctx, olivia, { role: 600 }),
  ];
  const gone = await newUser(ctx, olivia);
  await newGroup(ctx, olivia, { name: 'friends', members: [member, gone], subgroups: ['role:owners'] });
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  const { groups } = await getRegisterState(ctx, olivia);
  const nameOf = (id: number) => groups.find((group) => group.id === id)?.name;
  expect(
    groups.map(({ name, memberIds, directSubgroupIds }) => [name, memberIds, directSubgroupIds.map(nameOf)]),
  ).toEqual([
    ['role:internet', [], ['role:everyone']],
    ['role:everyone', [guest.userId], ['role:members']],
    ['role:members', [member.userId], ['role:fullmembers']],
    ['role:fullmembers', [member.userId], ['role:moderators']],
    ['role:moderators', [moderator.userId], ['role:administrators']],
    ['role:administrators', [], ['role:owners']],
    ['role:owners', [olivia.userId], []],
    ['role:nobody', [], []],
    ['friends', [member.userId], ['role:owners']],
  ]);
  expect(groups[6]).toMatchObject({ description: 'Owners of this organization', isSystem: true });
});

test('takes the same number of statements however large the organization is', async () => {
  const count = async () => {
    const before = ctx.db.statementCount;
    await getRegisterState(ctx, olivia);
    return ctx.db.statementCount - before;
  };
  const whileSmall = await count();
  // Three of them open the snapshot.
  expect(whileSmall).toBeLessThan(12 + 3);
  for (let index = 0; index < 5; index += 1) await newUser(ctx, olivia);
  await join(ctx, olivia, ['a', 'b', 'c']);
  expect(await count()).toBe(whileSmall);
});
