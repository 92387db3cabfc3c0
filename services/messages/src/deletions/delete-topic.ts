import { repeatOnConflict } from '@parley/shared/db';
import { BadRequestError, UnauthorizedPrincipalError } from '@parley/shared/errors';
import type { DeleteTopicRequest, DeleteTopicResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, isAdministrator, topicKey } from '@parley/shared/values';
import type { Context } from '../context';
import { type DeletionFacts, loadDeletionFacts } from '../edits/edit-facts';
import { mayRead } from '../messages/permissions';
import { channelsOf } from './delete-message';
import { deleteMessages, toldOutside } from './delete-messages';
import { listNewestOfTopic } from './deletion.sql';

const BATCH_SIZE = 100;
const BUDGET_MS = 50_000;

/** Deletes what an administrator can read of a topic, the newest first, for as long as a request may take. */
export async function deleteTopic(
  ctx: Context,
  caller: Caller,
  { channelId, topic }: DeleteTopicRequest,
): Promise<DeleteTopicResponse> {
  const facts = await loadDeletionFacts(ctx, caller, { channelIds: [channelId] });
  checkRight(facts, channelId);
  const name = topic.trim();
  if (findForbiddenCharacter(name) !== null) return { isComplete: true };
  const key = topicKey(name === EMPTY_TOPIC_DISPLAY_NAME ? '' : name);
  const deadlineMs = ctx.clock.now() + BUDGET_MS;
  let belowId: number | null = Number.MAX_SAFE_INTEGER;
  while (belowId !== null) {
    if (ctx.clock.now() > deadlineMs) return { isComplete: false };
    belowId = await deleteBatch(ctx, caller, facts, { channelId, key }, belowId);
  }
  return { isComplete: true };
}

function checkRight({ actor, reader, channels }: DeletionFacts, channelId: number): void {
  if (!isAdministrator(actor.role)) throw new UnauthorizedPrincipalError('Must be an organization administrator');
  const channel = reader.channels.get(channelId);
  const isAccessible = channel?.hasContentAccess === true && !channel.isArchived && channels.has(channelId);
  if (!isAccessible) throw new BadRequestError('Invalid channel ID');
}

/** Answers below which id to go on; null at the end. */
async function deleteBatch(
  ctx: Context,
  caller: Caller,
  facts: DeletionFacts,
  topic: { channelId: number; key: string },
  belowId: number,
): Promise<number | null> {
  const { realmId, userId } = caller;
  const newest = await listNewestOfTopic(ctx.db, realmId, topic, belowId, BATCH_SIZE);
  const messageIds = newest.filter((message) => mayRead(message, facts.reader)).map(({ id }) => id);
  const deletion = { realmId, messageIds, channels: channelsOf(facts), actorIds: [userId], nowMs: ctx.clock.now() };
  if (messageIds.length > 0) {
    await repeatOnConflict(realmId, async () => {
      const told = await toldOutside(ctx, deletion);
      return ctx.db.transaction((tx) => deleteMessages(tx, told));
    });
  }
  return newest.length < BATCH_SIZE ? null : (newest.at(-1)?.id ?? null);
}
