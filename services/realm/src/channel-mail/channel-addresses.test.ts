import { parseMailInAddress } from '@parley/shared/mail-in';
import { newChannel } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { archiveChannel } from '../channels/archive-channel';
import { findSystemBotIds } from '../notices/system-bots.sql';
import { deactivateUser } from '../users/deactivate-user';
import { findChannelMailAddress, getChannelEmailAddress } from './channel-addresses';

const DOMAIN = 'in.chat.example';
const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);
const zoe = memberOfEachTest(ctx, olivia);

const receiving = () => ({ ...ctx, config: { ...ctx.config, MAIL_IN_DOMAIN: DOMAIN } });

async function ask(who: Person, channelId: number, senderId?: number, context: typeof ctx = receiving()) {
  const { email } = await getChannelEmailAddress(context, who, {
    channelId,
    ...(senderId !== undefined && { senderId }),
  });
  return email;
}

async function find(email: string) {
  const { address } = await findChannelMailAddress(ctx, { token: parseMailInAddress(email, DOMAIN)?.token ?? '' });
  return address ?? null;
}

test('users who may read a channel and post there have an address of it, as themselves, their bots or the notification bot', async () => {
  const channelId = await newChannel(ctx, iago, 'Büro & Küche');
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  const botIds = await findSystemBotIds(ctx.db, olivia.realmId);
  const notificationBotId = botIds.get('notification-bot') as number;
  const email = await ask(zoe, channelId);
  expect(email).toMatch(/^buro-kuche\.c[a-z2-7]{26}\.show-sender@in\.chat\.example$/);
  const { realmId } = olivia;
  const byService = { senderId: notificationBotId, isSentByService: true };
  expect(await find(email)).toEqual({ realmId, channelId, userId: zoe.userId, ...byService });
  expect(await find(await ask(iago, channelId, bot.userId))).toEqual({
    ...{ realmId, channelId, userId: iago.userId, senderId: bot.userId, isSentByService: false },
  });
  expect(await find(await ask(zoe, channelId, zoe.userId))).toMatchObject({ senderId: zoe.userId });
  expect(await ask(zoe, channelId, notificationBotId)).toBe(email);
  expect(await find(await ask(bot, channelId))).toMatchObject({ userId: bot.userId, ...byService });
  await expect(ask(zoe, channelId, iago.userId)).rejects.toThrow('Invalid sender_id');
  await expect(ask(zoe, channelId, botIds.get('welcome-bot'))).rejects.toThrow('Invalid sender_id');
});

test('the address is empty where no mail comes in; the same rights are needed', async () => {
  const channelId = await newChannel(ctx, iago, 'open');
  const vault = await newChannel(ctx, iago, 'vault', { settings: { isPrivate: true } });
  const old = await newChannel(ctx, iago, 'old');
  await archiveChannel(ctx, iago, { channelId: old });
  expect(await ask(zoe, channelId, undefined, ctx)).toBe('');
  for (const context of [ctx, receiving()]) {
    await expect(ask(olivia, vault, undefined, context)).rejects.toThrow('Invalid channel ID');
    const closed = ask(zoe, old, undefined, context);
    await expect(closed).rejects.toThrow('You do not have permission to post in this channel.');
  }
});

test('it is the same each time, though it is not stored; with another secret a new one is shown, and the former stays valid', async () => {
  const channelId = await newChannel(ctx, iago, 'open');
  const email = await ask(zoe, channelId);
  expect(await ask(zoe, channelId)).toBe(email);
  expect(await ask(iago, channelId)).not.toBe(email);
  const token = parseMailInAddress(email, DOMAIN)?.token as string;
  const rows = await ctx.db.query<{ row: string }>('select a::text as row from channel_mail_address a');
  expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
  const elsewhere = (n: number) => {
    const config = { ...receiving().config, BOT_KEY_SECRET: `another secret, just as long as is needed ${n}` };
    return { ...ctx, config };
  };
  const other = await ask(zoe, channelId, undefined, elsewhere(0));
  expect(other).not.toBe(email);
  expect([await find(email), await find(other)]).toEqual([await find(other), expect.objectContaining({ channelId })]);
  for (const n of [1, 2, 3, 4]) await ask(zoe, channelId, undefined, elsewhere(n));
  expect(await find(email)).toBeNull();
});

test('it ends with its owner’s right to read the channel or to post there', async () => {
  const channelId = await newChannel(ctx, iago, 'open');
  const secret = await newChannel(ctx, iago, 'secret', {
    subscriberIds: [iago.userId, zoe.userId],
    settings: { isPrivate: true },
  });
  const [toOpen, toSecret, ofIago] = [await ask(zoe, channelId), await ask(zoe, secret), await ask(iago, channelId)];
  await ctx.db.query('update subscription set is_active = false where channel_id = $1 and user_id = $2', [
    secret,
    zoe.userId,
  ]);
  expect([await find(toOpen), await find(toSecret)]).toEqual([expect.anything(), null]);
  await deactivateUser(ctx, olivia, { userId: zoe.userId });
  expect([await find(toOpen), await find(ofIago)]).toEqual([null, expect.anything()]);
  await archiveChannel(ctx, iago, { channelId });
  expect(await find(ofIago)).toBeNull();
});

test('it ends with a closed organization, or when the bot that sends is deactivated or given away', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  const channelId = await newChannel(ctx, iago, 'open');
  const [asBot, asSelf] = [await ask(iago, channelId, bot.userId), await ask(iago, channelId)];
  await ctx.db.query('update user_account set bot_owner_id = $1 where id = $2', [zoe.userId, bot.userId]);
  expect(await find(asBot)).toBeNull();
  await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
  expect(await find(asSelf)).toBeNull();
  expect(await find(`x.c${'a'.repeat(26)}@${DOMAIN}`)).toBeNull();
  const other = await newOrganization(ctx);
  expect(other.realmId).not.toBe(olivia.realmId);
});
