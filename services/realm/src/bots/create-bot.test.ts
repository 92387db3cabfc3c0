import sharp from 'sharp';
import { asCaller, idOf, makeBot } from '../../test/bots';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, freshName, join, newOrganization, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { authenticate } from '../api-keys/authenticate';
import { hashKey } from '../base/random-key';
import { unsubscribe } from '../joining/subscribe';
import { getRegisterState } from '../register/get-register-state';
import { getOwnBotDefaults, listOwnBots } from './bots';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const picture = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

async function isKeyOf({ subdomain, email, apiKey }: Person): Promise<boolean> {
  const { results } = await authenticate(ctx, { credentials: [{ subdomain, email, apiKeyHash: hashKey(apiKey) }] });
  return results[0]?.outcome === 'ok';
}

async function giveRight(name: string, group: string): Promise<void> {
  await ctx.db.query(
    `insert into realm_group_setting (realm_id, name, group_id)
     select $1, $2, id from user_group where realm_id = $1 and name = $3
     on conflict (realm_id, name) do update set group_id = excluded.group_id`,
    [olivia.realmId, name, group],
  );
}

describe('a new bot', () => {
  test('belongs to the caller, is a member, and has a key', async () => {
    const made = await makeBot(ctx, iago, { fullName: ' Robbie ', shortName: 'robbie' });
    expect(made.bot).toMatchObject({
      user: { fullName: 'Robbie', email: 'robbie-bot@bots.invalid', botType: 1, botOwnerId: iago.userId, role: 400 },
      hearsAllPublicChannels: false,
    });
    expect(await isKeyOf(asCaller(iago, made))).toBe(true);
    const state = await getRegisterState(ctx, asCaller(iago, made));
    expect(state.subscriptions).toEqual([]);
  });

  test('is announced to everybody as a user, and to its owner and administrators as a bot, without its key', async () => {
    const made = await makeBot(ctx, iago, { botType: 3, payloadUrl: 'https://example.com/hook', interface: 2 });
    const users = await publicEvents(ctx, olivia, 'realm_user');
    expect(users.at(-1)?.event).toMatchObject({
      op: 'add',
      person: { user_id: idOf(made), is_bot: true, bot_type: 3, bot_owner_id: iago.userId },
    });
    expect(await publicEvents(ctx, olivia, 'realm_bot')).toEqual([
      {
        audience: { to: 'users', userIds: [iago.userId, olivia.userId] },
        event: {
          type: 'realm_bot',
          op: 'add',
          bot: {
            user_id: idOf(made),
            full_name: made.bot?.user?.fullName,
            email: made.bot?.user?.email,
            bot_type: 3,
            is_active: true,
            owner_id: iago.userId,
            avatar_url: expect.stringContaining('/static/pictures/'),
            default_sending_stream: null,
            default_events_register_stream: null,
            default_all_public_streams: false,
            services: [
              { base_url: 'https://example.com/hook', interface: 2, token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) },
            ],
          },
        },
      },
    ]);
    const outbox = await ctx.db.query<{ payload: string }>('select payload from outbox where realm_id = $1', [
      olivia.realmId,
    ]);
    expect(outbox.filter(({ payload }) => payload.includes(made.apiKey))).toEqual([]);
  });

  test('for a private channel is announced to its owner only', async () => {
    await join(ctx, iago, ['secret'], { newChannel: { isPrivate: true } });
    const made = await makeBot(ctx, iago, {
      defaultSendingChannel: 'SECRET',
      defaultEventsChannel: 'general',
      hearsAllPublicChannels: true,
    });
    expect(made.bot).toMatchObject({
      defaultSendingChannel: 'secret',
      defaultEventsChannel: 'general',
      hearsAllPublicChannels: true,
    });
    const [{ audience } = {}] = await publicEvents(ctx, olivia, 'realm_bot');
    expect(audience).toEqual({ to: 'users', userIds: [iago.userId] });
  });

  test('for a private channel hides the channel’s name from an owner who lost access', async () => {
    const principalIds = [olivia.userId, iago.userId];
    await join(ctx, olivia, ['secret'], { newChannel: { isPrivate: true }, principalIds });
    const made = await makeBot(ctx, iago, { defaultSendingChannel: 'secret', defaultEventsChannel: 'secret' });
    const removed = { channelNames: ['secret'], principalIds: [iago.userId], principalEmails: [] };
    await unsubscribe(ctx, olivia, removed);
    const [{ bot } = {}] = (await listOwnBots(ctx, iago)).bots;
    expect(bot).toMatchObject({ user: { id: idOf(made) } });
    expect(bot).not.toHaveProperty('defaultSendingChannel');
    expect(JSON.stringify(await getRegisterState(ctx, iago))).not.toContain('secret');
    expect(await getOwnBotDefaults(ctx, asCaller(iago, made))).toMatchObject({ eventsChannel: 'secret' });
    await join(ctx, olivia, ['secret'], { principalIds });
    expect((await listOwnBots(ctx, iago)).bots).toMatchObject([{ bot: { defaultSendingChannel: 'secret' } }]);
  });

  test('has the uploaded picture', async () => {
    const { bot } = await makeBot(ctx, iago, { files: [await picture()] });
    expect(bot?.user).toMatchObject({ avatarSource: 'U', avatarVersion: 2, avatarFileName: expect.any(String) });
    await expect(makeBot(ctx, iago, { files: [Buffer.from('no picture')] })).rejects.toMatchObject({
      code: 'BAD_IMAGE',
    });
    expect((await listOwnBots(ctx, iago)).bots).toHaveLength(1);
  });

  test('stores its configuration', async () => {
    const { bot } = await makeBot(ctx, iago, { botType: 2, configData: { key: 'value' } });
    expect(bot?.configData).toEqual({ key: 'value' });
  });
});

describe('invalid bots', () => {
  test.each([
    [{ payloadUrl: 'ftp://example.com', fullName: '' }, 'payload_url is not a URL'],
    [{ payloadUrl: 'http://a\0b' }, 'payload_url is not a URL'],
    [{ fullName: 'x', shortName: '' }, 'Name too short!'],
    [{ fullName: 'a*b' }, 'Invalid characters in name!'],
    [{ shortName: '  ', botType: 4 }, 'Bad name or username'],
    [{ shortName: 'a b' }, 'Bad name or username'],
    [{ shortName: 'x'.repeat(62) }, 'Bad name or username'],
    [{ botType: 4, shortName: 'robbie' }, 'Embedded bots are not enabled.'],
    [{ botType: 5, interface: 3 }, 'Invalid bot type'],
    [{ botType: 0 }, 'Invalid bot type'],
    [{ interface: 3, files: [Buffer.alloc(1), Buffer.alloc(1)] }, 'Invalid interface type'],
    [
      { files: [Buffer.alloc(1), Buffer.alloc(1)], defaultSendingChannel: 'no' },
      'You may only upload one file at a time',
    ],
    [{ defaultSendingChannel: 'no', defaultEventsChannel: 'nay' }, "Invalid channel name 'no'"],
    [{ defaultEventsChannel: 'nul\0', botType: 2, serviceName: 'zap' }, "Invalid channel name 'nul\0'"],
    [{ botType: 2, serviceName: 'zap', configData: { a: 'x'.repeat(10_000) } }, "Invalid integration 'zap'."],
    [{ configData: { a: 'x'.repeat(10_000) } }, 'Invalid configuration data!'],
    [{ configData: { a: '\0' } }, 'Invalid configuration data!'],
  ])('%j: %s', async (wrong, message) => {
    await expect(makeBot(ctx, iago, wrong)).rejects.toThrow(message);
    expect((await listOwnBots(ctx, iago)).bots).toEqual([]);
  });

  test('one with the address of another account, or the name of an active one', async () => {
    await makeBot(ctx, olivia, { shortName: 'robbie', fullName: 'Robbie' });
    await expect(makeBot(ctx, iago, { shortName: 'ROBBIE', fullName: 'Robbie' })).rejects.toThrow(
      'Username already in use',
    );
    await expect(makeBot(ctx, iago, { fullName: 'Robbie' })).rejects.toThrow('Name is already in use!');
    await makeBot(ctx, iago, { fullName: 'robbie' });
    await makeBot(ctx, await newOrganization(ctx), { shortName: 'robbie', fullName: 'Robbie' });
  });

  test('one of two with the same name, made at once', async () => {
    const fullName = freshName('Twin');
    const results = await Promise.allSettled([1, 2, 3].map(() => makeBot(ctx, iago, { fullName })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('one for a channel that the caller may not read', async () => {
    await join(ctx, olivia, ['board'], { newChannel: { isPrivate: true } });
    expect(Object.keys(await channelIds(ctx, olivia))).toContain('board');
    await expect(makeBot(ctx, iago, { defaultSendingChannel: 'board' })).rejects.toThrow(
      "Invalid channel name 'board'",
    );
  });
});

describe('permission to create bots', () => {
  test('is refused to guests and bots', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    await expect(makeBot(ctx, guest, { fullName: '' })).rejects.toThrow('Not allowed for guest users');
    const bot = asCaller(iago, await makeBot(ctx, iago));
    await expect(makeBot(ctx, bot)).rejects.toThrow('This endpoint does not accept bot requests.');
  });

  test('follows the organization’s settings, for owners too; incoming webhooks need a smaller right', async () => {
    await giveRight('can_create_bots_group', 'role:nobody');
    await makeBot(ctx, iago, { botType: 2 });
    await expect(makeBot(ctx, olivia, { botType: 9 })).rejects.toThrow('Insufficient permission');
    await giveRight('can_create_write_only_bots_group', 'role:administrators');
    await expect(makeBot(ctx, iago, { botType: 2 })).rejects.toThrow('Insufficient permission');
    await makeBot(ctx, olivia, { botType: 2 });
  });
});

test('POST /register lists own bots, and to administrators all bots', async () => {
  const [one, other] = [await makeBot(ctx, iago), await makeBot(ctx, olivia)];
  const botsOf = async (caller: Person) => (await getRegisterState(ctx, caller)).bots.map((bot) => bot.user?.id);
  expect(await botsOf(iago)).toEqual([idOf(one)]);
  expect(await botsOf(olivia)).toEqual([idOf(one), idOf(other)]);
  expect(await botsOf(await newUser(ctx, olivia))).toEqual([]);
});
