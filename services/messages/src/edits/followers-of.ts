import type { Channel } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { topicKey } from '@parley/shared/values';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import type { MessageRow } from '../messages/message.sql';
import { guestsLeftBehind } from './edit-audiences';
import type { Facts } from './edit-facts';
import { listPolicyHolders } from './move-topic-policies.sql';
import type { EditPlan } from './plan-edit';

/** Whether somebody who could read what moves may read it where it goes. */
export type MayFollow = (userId: number) => boolean;

/**
 * Only moves into or inside of private channels ask for a list of people: what these have decided about a topic is not for others to
 * keep, nor is its new name for former subscribers who have decided something about the old one.
 */
export async function followersOf(
  ctx: Context,
  caller: Caller,
  message: MessageRow,
  plan: EditPlan,
  { channels }: Facts,
): Promise<MayFollow> {
  const source = message.channelId === null ? undefined : channels.get(message.channelId);
  const target = plan.channelId === undefined ? source?.channel : channels.get(plan.channelId)?.channel;
  if (!target || !source || (plan.channelId === undefined && plan.topic === undefined)) return () => true;
  if (target.isPrivate) return readersIn(ctx, caller, target, plan.channelId === undefined ? message.topic : null);
  if (plan.channelId === undefined) return () => true;
  const guestIds = new Set(guestsLeftBehind(source, target, caller.userId));
  return (userId) => !guestIds.has(userId);
}

/** Subscribers and, of those who have decided about the topic, whoever may read the channel without being one. */
async function readersIn(
  ctx: Context,
  { realmId, userId: actorId }: Caller,
  { id: channelId }: Channel,
  topic: string | null,
): Promise<MayFollow> {
  const holderIds = topic === null ? [] : await listPolicyHolders(ctx.db, realmId, channelId, topicKey(topic));
  // Nothing is asked for when there is nothing to follow.
  if (topic !== null && holderIds.length === 0) return () => true;
  const { subscribers } = await ctx.services.realm.getSubscribers(
    { ...newCall(), realmId, userId: actorId },
    { realmId, channelId },
  );
  const current = subscribers.filter(({ intervals }) => intervals.some(({ toVersion }) => toVersion === undefined));
  const readerIds = new Set([actorId, ...current.map(({ userId }) => userId)]);
  for (const userId of holderIds.filter((id) => !readerIds.has(id))) {
    const { channels } = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids: [channelId] });
    if (channels.get(channelId)?.hasContentAccess) readerIds.add(userId);
  }
  return (userId) => readerIds.has(userId);
}
