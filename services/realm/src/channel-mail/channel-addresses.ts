import { hkdfSync, randomBytes } from 'node:crypto';
import type { Sql } from '@parley/shared/db';
import { BadRequestError, PublicError } from '@parley/shared/errors';
import { channelAddress, hashMailInToken, mailInToken } from '@parley/shared/mail-in';
import type {
  Channel,
  ChannelEmailAddress,
  ChannelMailAddress,
  FindChannelMailAddressRequest,
  FoundChannelMailAddress,
  GetChannelEmailAddressRequest,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { findUsersByIds } from '../accounts/users.sql';
import { type Actor, loadActor } from '../actors/actor';
import { possibleIds } from '../base/possible-values';
import { accessChannel, seenBy } from '../channel-access/access-channel';
import { hasContentAccess, mayPost, type Viewer } from '../channel-access/permissions';
import type { Context } from '../context';
import { findSystemBotIds } from '../notices/system-bots.sql';
import { findRealm } from '../organization/realms.sql';

/** A user's address of a channel. */
interface Owned {
  realmId: number;
  channelId: number;
  userId: number;
  /** Null: the notification bot posts, since no user has asked to be the sender of strangers' mail. */
  senderId: number | null;
}

/**
 * The address for mails to the channel, for users who may post there: the same for each channel, user and sender. Empty if this server
 * receives no mail.
 */
export async function getChannelEmailAddress(
  ctx: Context,
  caller: Caller,
  { channelId, senderId }: GetChannelEmailAddressRequest,
): Promise<ChannelEmailAddress> {
  const { MAIL_IN_DOMAIN: domain } = ctx.config;
  const actor = await loadActor(ctx.db, caller, ctx.clock.now());
  const channel = await requirePoster(ctx, actor, channelId);
  const sender = senderId === undefined ? null : await requireSender(ctx.db, actor, senderId);
  if (domain === undefined) return { email: '' };
  const { realmId, userId } = caller;
  const token = await showToken(ctx, { realmId, channelId, userId, senderId: sender });
  return { email: channelAddress(channel.name, token, domain) };
}

/** The channel, if the user may read it and post there. */
async function requirePoster(ctx: Context, actor: Actor, channelId: number): Promise<Channel> {
  const { channel, viewer } = await accessChannel(ctx.db, actor, channelId);
  if (!hasContentAccess(channel, viewer)) throw new BadRequestError('Invalid channel ID');
  if (!mayPost(channel, viewer, await ownerOf(ctx, actor, channel))) {
    throw new BadRequestError(REFUSAL.channels.mayNotPostHere);
  }
  return channel;
}

/** A bot's owner; null for a person. */
async function ownerOf({ db, clock }: Context, { user }: Actor, channel: Channel): Promise<Viewer | null> {
  if (user.botOwnerId === undefined) return null;
  const owner = await loadActor(db, { realmId: user.realmId, userId: user.botOwnerId }, clock.now());
  const [seen] = await seenBy(db, owner, [channel]);
  return seen?.viewer ?? null;
}

/** The caller, a bot of theirs, or the notification bot, which is null. SPEC-GAP: the text for other ids is not shown. */
async function requireSender(sql: Sql, { user }: Actor, senderId: number): Promise<number | null> {
  const [sender] = await findUsersByIds(sql, user.realmId, possibleIds([senderId]));
  const isOwn = sender?.isActive && (sender.id === user.id || sender.botOwnerId === user.id);
  if (isOwn) return senderId;
  const isNotificationBot = (await findSystemBotIds(sql, user.realmId)).get('notification-bot') === senderId;
  if (!isNotificationBot) throw new BadRequestError('Invalid sender_id');
  return null;
}

const SALT_BYTES = 16;
const TOKEN_BYTES = 16;
/** Of one user, channel and sender: beside the one that is shown, those that were made with former secrets. */
const MAX_KEPT = 5;

/** The token of the newest address that can be derived; without one, or with another secret, that of a new address. */
async function showToken({ config, clock, prisma }: Context, owned: Owned): Promise<string> {
  const table = prisma.channelMailAddress;
  const known = await table.findMany({ where: { ...owned }, orderBy: { id: 'desc' } });
  for (const { salt, tokenHash } of known) {
    const token = tokenOf(config.BOT_KEY_SECRET, owned, salt);
    if (hashMailInToken(token).equals(tokenHash)) return token;
  }
  const salt = randomBytes(SALT_BYTES);
  const token = tokenOf(config.BOT_KEY_SECRET, owned, salt);
  const tokenHash = new Uint8Array(hashMailInToken(token));
  await table.create({
    data: { ...owned, salt: new Uint8Array(salt), tokenHash, createdAt: new Date(clock.now()) },
  });
  const endedIds = known.slice(MAX_KEPT - 1).map(({ id }) => id);
  if (endedIds.length > 0) await table.deleteMany({ where: { realmId: owned.realmId, id: { in: endedIds } } });
  return token;
}

/** Salt and secret are useless without each other. */
function tokenOf(secret: string, { realmId, channelId, userId }: Owned, salt: Uint8Array): string {
  const info = `channel mail ${realmId} ${channelId} ${userId}`;
  return mailInToken(new Uint8Array(hkdfSync('sha256', secret, salt, info, TOKEN_BYTES)));
}

/**
 * The channel and the sender of an address with that token; nothing if it is unknown, or if its owner could not get it today: rights
 * that were taken away end it.
 */
export async function findChannelMailAddress(
  ctx: Context,
  { token }: FindChannelMailAddressRequest,
): Promise<FoundChannelMailAddress> {
  const tokenHash = new Uint8Array(hashMailInToken(token));
  const owned = await ctx.prisma.channelMailAddress.findUnique({ where: { tokenHash } });
  if (owned === null) return { address: null };
  try {
    return { address: await addressOf(ctx, owned) };
  } catch (error) {
    if (error instanceof PublicError && error.httpStatus < 500) return { address: null };
    throw error;
  }
}

async function addressOf(ctx: Context, { realmId, channelId, userId, senderId }: Owned): Promise<ChannelMailAddress> {
  const [actor, realm] = await Promise.all([
    loadActor(ctx.db, { realmId, userId }, ctx.clock.now()),
    findRealm(ctx.db, realmId),
  ]);
  if (realm?.isDeactivated !== false) throw new BadRequestError('The organization is closed');
  await requirePoster(ctx, actor, channelId);
  if (senderId === null) {
    const botId = (await findSystemBotIds(ctx.db, realmId)).get('notification-bot');
    return { realmId, channelId, userId, senderId: botId as number, isSentByService: true };
  }
  await requireSender(ctx.db, actor, senderId);
  return { realmId, channelId, userId, senderId, isSentByService: false };
}
