import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Channel, ChannelEmailAddress, GetChannelEmailAddressRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Actor } from '../actors/actor';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { findUsersByIds } from '../users/users.sql';
import { accessChannel, seenBy } from './access-channel';
import { hasContentAccess, mayPost, type Viewer } from './permissions';

/** Where mail to the channel may be sent, for those who may post there: nowhere, as this server takes no mail. */
export async function getChannelEmailAddress(
  ctx: Context,
  caller: Caller,
  { channelId, senderId }: GetChannelEmailAddressRequest,
): Promise<ChannelEmailAddress> {
  const nowMs = ctx.clock.now();
  const actor = await loadActor(ctx.db, caller, nowMs);
  const { channel, viewer } = await accessChannel(ctx.db, actor, channelId);
  if (!hasContentAccess(channel, viewer)) throw new BadRequestError('Invalid channel ID');
  if (senderId !== undefined) await requireOwnSender(ctx.db, actor, senderId);
  if (!mayPost(channel, viewer, await ownerOf(ctx.db, actor, channel, nowMs))) {
    throw new BadRequestError('You do not have permission to post in this channel.');
  }
  return { email: '' };
}

/** Who stands behind a bot; null: nobody, behind a person. */
async function ownerOf(sql: Sql, { user }: Actor, channel: Channel, nowMs: number): Promise<Viewer | null> {
  if (user.botOwnerId === undefined) return null;
  const owner = await loadActor(sql, { realmId: user.realmId, userId: user.botOwnerId }, nowMs);
  const [seen] = await seenBy(sql, owner, [channel]);
  return seen?.viewer ?? null;
}

// SPEC-GAP: the text for other ids is not shown.
async function requireOwnSender(sql: Sql, { user }: Actor, senderId: number): Promise<void> {
  const [sender] = await findUsersByIds(sql, user.realmId, possibleIds([senderId]));
  const isOwn = sender !== undefined && (sender.id === user.id || sender.botOwnerId === user.id);
  if (!isOwn) throw new BadRequestError('Invalid sender_id');
}
