import sharp from 'sharp';
import { asCaller, changeBot, idOf, makeBot } from '../../test/bots';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newOrganization, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getOwnUser } from '../accounts/get-own-user';
import { getRegisterState } from '../register/get-register-state';
import { reactivateUser } from '../users/reactivate-user';
import { updateUser } from '../users/update-user';
import { deactivateBot, getBotApiKey, listOwnBots, regenerateBotApiKey } from './bots';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

/** Events of bots after the creation. */
const botEvents = async () => (await publicEvents(ctx, olivia, 'realm_bot')).slice(1);
const subscribedTo = async (userId: number) => {
  const rows = await ctx.db.query<{ name: string }>(
    `select c.name from subscription s join channel c on c.id = s.channel_id where s.user_id = $1 and s.is_active order by 1`,
    [userId],
  );
  return rows.map(({ name }) => name);
};

describe('changing a bot', () => {
  test('announces its name to everybody, and other changes to its managers', async () => {
    const botId = idOf(await makeBot(ctx, iago, { botType: 3, payloadUrl: 'https://a.example', fullName: 'Robbie' }));
    const answer = await changeBot(ctx, iago, botId, {
      fullName: 'Marvin',
      defaultSendingChannel: 'general',
      defaultEventsChannel: 'sandbox',
      hearsAllPublicChannels: true,
      payloadUrl: 'https://b.example',
      interface: 2,
      configData: { values: { a: '1' } },
    });
    expect(answer).toMatchObject({
      ownerEmail: iago.email,
      bot: {
        user: { fullName: 'Marvin' },
        defaultSendingChannel: 'general',
        defaultEventsChannel: 'sandbox',
        hearsAllPublicChannels: true,
        webhook: { payloadUrl: 'https://b.example', interface: 2 },
        configData: { a: '1' },
      },
    });
    expect((await publicEvents(ctx, olivia, 'realm_user')).at(-2)?.event).toMatchObject({
      person: { user_id: botId, full_name: 'Marvin' },
    });
    const events = await botEvents();
    for (const { audience } of events) expect(audience).toEqual({ to: 'users', userIds: [iago.userId, olivia.userId] });
    expect(events.map(({ event }) => event)).toEqual(
      [
        { full_name: 'Marvin' },
        { avatar_url: expect.stringContaining('/M.svg') },
        { default_sending_stream: 'general' },
        { default_events_register_stream: 'sandbox' },
        { default_all_public_streams: true },
        { services: [{ base_url: 'https://b.example', interface: 2, token: expect.any(String) }] },
      ].map((changed) => ({ type: 'realm_bot', op: 'update', bot: { user_id: botId, ...changed } })),
    );
  });

  test('without a difference announces nothing', async () => {
    const { bot } = await makeBot(ctx, iago, { botType: 3, defaultSendingChannel: 'general' });
    const botId = bot?.user?.id as number;
    await changeBot(ctx, iago, botId, {
      fullName: bot?.user?.fullName,
      role: 400,
      ownerId: iago.userId,
      defaultSendingChannel: 'general',
      hearsAllPublicChannels: false,
      payloadUrl: '',
      interface: 1,
    } as never);
    expect(await botEvents()).toEqual([]);
  });

  test('clears values with empty names, and merges its configuration', async () => {
    const botId = idOf(await makeBot(ctx, iago, { defaultSendingChannel: 'general', configData: { a: '1', b: '2' } }));
    const { bot } = await changeBot(ctx, iago, botId, {
      defaultSendingChannel: '',
      configData: { values: { b: '3' } },
    });
    expect(bot).not.toHaveProperty('defaultSendingChannel');
    expect(bot?.configData).toEqual({ a: '1', b: '3' });
  });

  test('gives it a picture', async () => {
    const botId = idOf(await makeBot(ctx, iago));
    const upload = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { bot } = await changeBot(ctx, iago, botId, { files: [upload] });
    expect(bot?.user).toMatchObject({ avatarSource: 'U' });
    expect((await botEvents()).map(({ event }) => event)).toEqual([
      {
        type: 'realm_bot',
        op: 'update',
        bot: { user_id: botId, avatar_url: expect.stringContaining('/user_avatars/') },
      },
    ]);
  });

  test('does all or nothing', async () => {
    const made = await makeBot(ctx, iago);
    const wrong = {
      fullName: 'Marvin',
      hearsAllPublicChannels: true,
      configData: { values: { a: 'x'.repeat(10_001) } },
    };
    await expect(changeBot(ctx, iago, idOf(made), wrong)).rejects.toThrow('Invalid configuration data!');
    expect(await getOwnUser(ctx, asCaller(iago, made))).toMatchObject({ fullName: made.bot?.user?.fullName });
    expect(await botEvents()).toEqual([]);
  });

  test.each([
    [{ payloadUrl: 'nowhere', fullName: '' }, 'service_payload_url is not a URL'],
    [{ fullName: 'x', role: 5 }, 'Name too short!'],
    [{ role: 5, ownerId: -1 }, 'Invalid role'],
    [{ ownerId: 999_999_999, defaultSendingChannel: 'no' }, 'Failed to change owner, no such user'],
    [{ ownerId: 2 ** 60 }, 'Failed to change owner, no such user'],
    [{ defaultSendingChannel: 'no', payloadUrl: '', interface: 7 }, "Invalid channel name 'no'"],
    [{ payloadUrl: '', interface: 7 }, 'Invalid interface type'],
    [{ payloadUrl: '', interface: 1 }, 'Invalid bot type'],
    [{ files: [Buffer.alloc(1), Buffer.alloc(1)] }, 'You may only upload one file at a time'],
  ])('refuses %j: %s', async (wrong, message) => {
    const botId = idOf(await makeBot(ctx, olivia));
    await expect(changeBot(ctx, olivia, botId, wrong)).rejects.toThrow(message);
  });

  test('refuses the name of another active account', async () => {
    const twin = await makeBot(ctx, iago, { fullName: 'Twin' });
    const botId = idOf(await makeBot(ctx, iago));
    await expect(changeBot(ctx, iago, botId, { fullName: 'Twin' })).rejects.toThrow('Name is already in use!');
    await deactivateBot(ctx, iago, { botId: idOf(twin) });
    await changeBot(ctx, iago, botId, { fullName: 'Twin' });
  });

  test('of another user’s bot is for administrators', async () => {
    const botId = idOf(await makeBot(ctx, iago));
    const moderator = await newUser(ctx, olivia, { role: 300 });
    await expect(changeBot(ctx, moderator, botId, { fullName: '' })).rejects.toThrow('Insufficient permission');
    await changeBot(ctx, olivia, botId, { fullName: 'Marvin' });
  });
});

test.each([
  ['member', 400, 300, 'Must be an organization administrator'],
  ['member', 400, 100, 'Must be an organization owner'],
  ['administrator', 200, 100, 'Must be an organization owner'],
  ['administrator', 200, 300, null],
  ['owner', 100, 100, null],
])('an owner of a bot who is %s (%i) gives it the role %i: %s', async (_who, role, wanted, refusal) => {
  const owner = await newUser(ctx, olivia, { role });
  const made = await makeBot(ctx, owner);
  const change = changeBot(ctx, owner, idOf(made), { role: wanted });
  if (refusal !== null)
    await expect(change).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL', message: refusal });
  else await change;
  expect((await getOwnUser(ctx, asCaller(owner, made))).role).toBe(refusal === null ? wanted : 400);
});

describe('giving a bot to another owner', () => {
  test('changes its owner, and announces it to everybody and to administrators', async () => {
    const zoe = await newUser(ctx, olivia);
    const botId = idOf(await makeBot(ctx, iago));
    const { ownerEmail } = await changeBot(ctx, iago, botId, { ownerId: zoe.userId });
    expect(ownerEmail).toBe(zoe.email);
    expect(await botEvents()).toEqual([
      { audience: users(iago), event: { type: 'realm_bot', op: 'delete', bot: { user_id: botId } } },
      {
        audience: users(zoe),
        event: { type: 'realm_bot', op: 'add', bot: expect.objectContaining({ owner_id: zoe.userId }) },
      },
      {
        audience: users(olivia),
        event: { type: 'realm_bot', op: 'update', bot: { user_id: botId, owner_id: zoe.userId } },
      },
    ]);
    expect((await publicEvents(ctx, olivia, 'realm_user')).at(-1)).toEqual({
      audience: { to: 'realm' },
      event: { type: 'realm_user', op: 'update', person: { user_id: botId, bot_owner_id: zoe.userId } },
    });
    await expect(changeBot(ctx, iago, botId, {})).rejects.toThrow('Insufficient permission');
  });

  test('between administrators is one change to all of them', async () => {
    const ada = await newUser(ctx, olivia, { role: 200 });
    const botId = idOf(await makeBot(ctx, olivia));
    await changeBot(ctx, olivia, botId, { ownerId: ada.userId });
    expect((await botEvents()).map(({ event }) => event)).toEqual([
      { type: 'realm_bot', op: 'update', bot: { user_id: botId, owner_id: ada.userId } },
    ]);
  });

  test('puts it out of the private channels that the new owner may not read', async () => {
    const zoe = await newUser(ctx, olivia);
    const made = await makeBot(ctx, iago);
    const principalIds = [idOf(made)];
    await join(ctx, iago, ['open'], { principalIds });
    await join(ctx, iago, ['shared'], {
      newChannel: { isPrivate: true },
      principalIds: [iago.userId, zoe.userId, ...principalIds],
    });
    await join(ctx, iago, ['hidden'], {
      newChannel: { isPrivate: true },
      principalIds: [iago.userId, ...principalIds],
    });
    expect(await subscribedTo(idOf(made))).toEqual(['hidden', 'open', 'shared']);
    await changeBot(ctx, iago, idOf(made), { ownerId: zoe.userId });
    expect(await subscribedTo(idOf(made))).toEqual(['open', 'shared']);
    const { hidden } = await channelIds(ctx, olivia);
    const removed = (await publicEvents(ctx, olivia, 'subscription')).filter(({ event }) => event['op'] === 'remove');
    expect(removed).toMatchObject([
      { audience: { userIds: [idOf(made)] }, event: { subscriptions: [{ stream_id: hidden }] } },
    ]);
  });

  test('puts a deactivated one out of them as well, and tells nobody', async () => {
    const zoe = await newUser(ctx, olivia);
    const botId = idOf(await makeBot(ctx, iago));
    const principalIds = [iago.userId, botId];
    await join(ctx, iago, ['open'], { principalIds });
    await join(ctx, iago, ['hidden'], { newChannel: { isPrivate: true }, principalIds });
    await deactivateBot(ctx, iago, { botId });
    const before = await publicEvents(ctx, olivia, 'subscription');
    await changeBot(ctx, olivia, botId, { ownerId: zoe.userId });
    expect(await publicEvents(ctx, olivia, 'subscription')).toEqual(before);
    await reactivateUser(ctx, zoe, { userId: botId });
    expect(await subscribedTo(botId)).toEqual(['open']);
  });

  test('requires an active person', async () => {
    const bot = await makeBot(ctx, iago);
    const gone = await newUser(ctx, olivia);
    await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
    const to = (ownerId: number) => changeBot(ctx, iago, idOf(bot), { ownerId });
    await expect(to(gone.userId)).rejects.toThrow('Failed to change owner, user is deactivated');
    await expect(to(idOf(bot))).rejects.toThrow("Failed to change owner, bots can't own other bots");
    await expect(to((await newOrganization(ctx)).userId)).rejects.toThrow('Failed to change owner, no such user');
  });
});

const users = (...people: Person[]) => ({ to: 'users', userIds: people.map(({ userId }) => userId) });

describe('a bot that is an owner', () => {
  const refused = 'Must be an organization owner';
  let ada: Person;
  let botId: number;
  beforeEach(async () => {
    ada = await newUser(ctx, olivia, { role: 200 });
    botId = idOf(await makeBot(ctx, ada, { botType: 3, payloadUrl: 'https://a.example' }));
    await changeBot(ctx, olivia, botId, { role: 100 });
  });

  test('is shown to owners only, with its key, even if others own the bot', async () => {
    const shownTo = async (person: Person) =>
      (await getRegisterState(ctx, person)).bots.some(({ user }) => user?.id === botId);
    expect([await shownTo(olivia), await shownTo(ada)]).toEqual([true, false]);
    expect((await listOwnBots(ctx, ada)).bots).toEqual([]);
    for (const person of [ada, await newUser(ctx, olivia, { role: 200 })]) {
      await expect(getBotApiKey(ctx, person, { botId })).rejects.toThrow(refused);
      await expect(regenerateBotApiKey(ctx, person, { botId })).rejects.toThrow(refused);
    }
    expect((await getBotApiKey(ctx, olivia, { botId })).apiKey).toHaveLength(32);
  });

  test('is changed by owners only, by any endpoint', async () => {
    for (const wanted of [
      { ownerId: ada.userId },
      { payloadUrl: 'https://b.example' },
      { fullName: 'X' },
      { role: 400 },
    ]) {
      await expect(changeBot(ctx, ada, botId, wanted)).rejects.toThrow(refused);
    }
    await expect(updateUser(ctx, ada, { user: { id: botId }, fullName: 'X', profileValues: [] })).rejects.toThrow(
      refused,
    );
    await expect(deactivateBot(ctx, ada, { botId })).rejects.toThrow(refused);
    await deactivateBot(ctx, olivia, { botId });
    await expect(reactivateUser(ctx, ada, { userId: botId })).rejects.toThrow(refused);
    await reactivateUser(ctx, olivia, { userId: botId });
  });

  test('is announced to its changed managers when it, or a manager, becomes an owner, and back', async () => {
    // The bot itself sees more or fewer bots with each role.
    const last = async () => {
      const events = await botEvents();
      const others = events.filter(({ audience }) => audience.to === 'users' && !audience.userIds.includes(botId));
      return others.slice(-1).map(({ audience, event }) => [event['op'], audience])[0];
    };
    const toAda = { to: 'users', userIds: [ada.userId] };
    expect(await last()).toEqual(['delete', toAda]);
    await changeBot(ctx, olivia, botId, { payloadUrl: 'https://b.example' });
    expect(await last()).toEqual(['update', { to: 'users', userIds: [olivia.userId] }]);
    await updateUser(ctx, olivia, { user: { id: ada.userId }, role: 100, profileValues: [] });
    expect(await last()).toEqual(['add', toAda]);
    await updateUser(ctx, olivia, { user: { id: ada.userId }, role: 200, profileValues: [] });
    expect(await last()).toEqual(['delete', toAda]);
    await changeBot(ctx, olivia, botId, { role: 400 });
    expect(await last()).toEqual(['add', toAda]);
  });

  test('is created by owners only', async () => {
    const other = idOf(await makeBot(ctx, ada));
    await expect(changeBot(ctx, ada, other, { role: 100 })).rejects.toThrow(refused);
    await expect(changeBot(ctx, iago, idOf(await makeBot(ctx, iago)), { role: 300 })).rejects.toThrow(
      'Must be an organization administrator',
    );
  });
});
