import { asCaller, idOf, makeBot } from '../../test/bots';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { join, newOrganization, newUser, type Person } from '../../test/examples';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { getApiKeys, regenerateApiKey } from '../api-keys/api-keys';
import { authenticate } from '../api-keys/authenticate';
import { botKey } from '../api-keys/bot-keys';
import { hashKey } from '../base/random-key';
import { deactivateBot, getBotApiKey, getOwnBotDefaults, listOwnBots, regenerateBotApiKey } from './bots';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

async function opens({ subdomain, email }: Person, apiKey: string): Promise<boolean> {
  const { results } = await authenticate(ctx, { credentials: [{ subdomain, email, apiKeyHash: hashKey(apiKey) }] });
  return results[0]?.outcome === 'ok';
}

describe('the key derived from a salt', () => {
  const [secret, holder, salt] = ['s'.repeat(32), { realmId: 1, userId: 2 }, Buffer.alloc(16)];

  test('has the format of any key, and is always the same', () => {
    expect(botKey(secret, holder, salt)).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(botKey(secret, holder, salt)).toBe(botKey(secret, holder, Buffer.alloc(16)));
  });

  test.each([
    ['another secret', () => botKey('t'.repeat(32), holder, salt)],
    ['another bot', () => botKey(secret, { ...holder, userId: 3 }, salt)],
    ['another organization', () => botKey(secret, { ...holder, realmId: 2 }, salt)],
    ['another salt', () => botKey(secret, holder, Buffer.alloc(16, 1))],
  ])('differs with %s', (_what, other) => {
    expect(other()).not.toBe(botKey(secret, holder, salt));
  });
});

describe('a bot’s key', () => {
  test('is shown again to the bot’s managers, though it is not stored', async () => {
    const made = await makeBot(ctx, iago);
    const botId = idOf(made);
    expect(await getBotApiKey(ctx, iago, { botId })).toEqual({ apiKey: made.apiKey });
    expect(await getBotApiKey(ctx, olivia, { botId })).toEqual({ apiKey: made.apiKey });
    const rows = await ctx.db.query<{ row: string }>(
      'select k::text as row from api_key k union all select u::text from user_account u union all select b::text from bot b',
    );
    expect(rows.filter(({ row }) => row.includes(made.apiKey))).toEqual([]);
  });

  test('is an additional new one where the stored one cannot be derived, as with another secret; a key that the bot made itself is shown', async () => {
    const made = await makeBot(ctx, iago);
    const bot = asCaller(iago, made);
    const elsewhere = {
      ...ctx,
      config: { ...ctx.config, BOT_KEY_SECRET: 'another secret, just as long as is needed' },
    };
    const { apiKey } = await getBotApiKey(elsewhere, iago, { botId: bot.userId });
    expect(apiKey).not.toBe(made.apiKey);
    expect([await opens(bot, made.apiKey), await opens(bot, apiKey)]).toEqual([true, true]);
    expect(await getBotApiKey(elsewhere, iago, { botId: bot.userId })).toEqual({ apiKey });
    const replaced = await regenerateApiKey(ctx, bot);
    expect(await getBotApiKey(ctx, iago, { botId: bot.userId })).toEqual(replaced);
    expect((await getApiKeys(ctx, bot)).keys).toHaveLength(1);
  });

  test('is replaced by a new one: earlier keys stop working', async () => {
    const made = await makeBot(ctx, iago);
    const bot = asCaller(iago, made);
    const { apiKey } = await regenerateBotApiKey(ctx, olivia, { botId: bot.userId });
    expect([await opens(bot, made.apiKey), await opens(bot, apiKey)]).toEqual([false, true]);
    expect(await getBotApiKey(ctx, iago, { botId: bot.userId })).toEqual({ apiKey });
    expect(await payloadsOf(ctx, olivia, 'api-key.revoked')).toEqual([
      { userId: bot.userId, keyIds: [expect.any(Number)] },
    ]);
  });
});

test('own bots are listed with their keys, the active ones only, in three statements', async () => {
  const made = [await makeBot(ctx, iago), await makeBot(ctx, iago), await makeBot(ctx, iago)];
  const cli = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  await makeBot(ctx, olivia);
  await deactivateBot(ctx, iago, { botId: idOf(made[2] as never) });
  const before = ctx.db.statementCount;
  const { bots } = await listOwnBots(ctx, iago);
  expect(ctx.db.statementCount - before).toBe(3);
  expect(bots.map(({ bot, apiKey }) => [bot?.user?.id, apiKey])).toEqual([
    ...made.slice(0, 2).map((one) => [idOf(one), one.apiKey]),
    [cli.userId, cli.apiKey],
  ]);
});

describe('managing a bot', () => {
  const actions = { getBotApiKey, regenerateBotApiKey, deactivateBot };

  test.each(Object.entries(actions))('%s requires its owner or an administrator', async (_name, action) => {
    const botId = idOf(await makeBot(ctx, iago));
    const [other, guest] = [await newUser(ctx, olivia, { role: 300 }), await newUser(ctx, olivia, { role: 600 })];
    await expect(action(ctx, other, { botId })).rejects.toThrow('Insufficient permission');
    await expect(action(ctx, guest, { botId })).rejects.toThrow('Not allowed for guest users');
    const stranger = await newOrganization(ctx);
    await expect(action(ctx, stranger, { botId })).rejects.toThrow('No such bot');
    for (const nobody of [iago.userId, 999_999_999, 2 ** 60]) {
      await expect(action(ctx, olivia, { botId: nobody })).rejects.toThrow('No such bot');
    }
    const [systemBot] = await ctx.db.query<{ id: number }>(
      'select id from user_account where realm_id = $1 and system_bot is not null limit 1',
      [olivia.realmId],
    );
    await expect(action(ctx, olivia, { botId: systemBot?.id as number })).rejects.toThrow('No such bot');
    await action(ctx, iago, { botId });
  });

  test('only owners manage a bot that may create accounts', async () => {
    const administrator = await newUser(ctx, olivia, { role: 200 });
    const botId = idOf(await makeBot(ctx, iago));
    await ctx.db.query('update user_account set may_create_users = true where id = $1', [botId]);
    await expect(getBotApiKey(ctx, administrator, { botId })).rejects.toThrow('Must be an organization owner');
    await getBotApiKey(ctx, olivia, { botId });
  });
});

test('the deactivation of a bot for a private channel is announced to its owner only', async () => {
  await join(ctx, iago, ['secret'], { newChannel: { isPrivate: true } });
  await deactivateBot(ctx, olivia, { botId: idOf(await makeBot(ctx, iago, { defaultEventsChannel: 'secret' })) });
  const audiences = (await publicEvents(ctx, olivia, 'realm_bot')).map(({ audience }) => audience);
  expect(audiences).toEqual([1, 2].map(() => ({ to: 'users', userIds: [iago.userId] })));
});

test('a bot has defaults for its queues, people have none', async () => {
  const bot = asCaller(
    iago,
    await makeBot(ctx, iago, { defaultEventsChannel: 'general', hearsAllPublicChannels: true }),
  );
  expect(await getOwnBotDefaults(ctx, bot)).toEqual({ eventsChannel: 'general', hearsAllPublicChannels: true });
  const plain = asCaller(iago, await makeBot(ctx, iago));
  for (const caller of [plain, iago]) {
    expect(await getOwnBotDefaults(ctx, caller)).toEqual({ hearsAllPublicChannels: false });
  }
});

test('a deactivated bot has no key, and is deactivated once', async () => {
  const made = await makeBot(ctx, iago);
  const botId = idOf(made);
  await deactivateBot(ctx, iago, { botId });
  await deactivateBot(ctx, iago, { botId });
  await expect(getBotApiKey(ctx, iago, { botId })).rejects.toThrow('User is deactivated');
  await expect(regenerateBotApiKey(ctx, iago, { botId })).rejects.toThrow('User is deactivated');
  expect(await opens(asCaller(iago, made), made.apiKey)).toBe(false);
  const updates = (await publicEvents(ctx, olivia, 'realm_bot')).slice(1);
  expect(updates).toEqual([
    {
      audience: { to: 'users', userIds: [iago.userId, olivia.userId] },
      event: { type: 'realm_bot', op: 'update', bot: { user_id: botId, is_active: false } },
    },
  ]);
});
