import { BadRequestError } from '@parley/shared/errors';
import type { DraftInput, SendFacts } from '@parley/shared/proto';
import { LIMITS, truncate } from '@parley/shared/values';
import { checkContent, normalizeContent } from '../messages/content';
import { isReadBySender } from '../messages/permissions';
import type { NewDraft } from './draft.sql';

/** What realm says of the author and of whom the drafts name. */
export interface DraftFacts {
  authorId: number;
  /** Ids of channels that the author may read, archived ones aside. */
  channelIds: ReadonlySet<number>;
  userIds: ReadonlySet<number>;
  nowMs: number;
}

/** What realm was asked of, in a form in which drafts are checked. */
export function draftFactsFrom(facts: readonly SendFacts[], authorId: number, nowMs: number): DraftFacts {
  const channels = facts.flatMap(({ channel }) => (channel && isReadBySender(channel) && channel.channel) || []);
  return {
    authorId,
    channelIds: new Set(channels.filter(({ isArchived }) => !isArchived).map(({ id }) => id)),
    userIds: new Set(facts.flatMap(({ recipients }) => recipients.map(({ id }) => id))),
    nowMs,
  };
}

/** The draft that somebody means to keep. The order of the checks is what a client with several faults sees. */
export function draftFromInput({ kind, toIds, topic, content, editedAtMs }: DraftInput, facts: DraftFacts): NewDraft {
  checkContent(content);
  const draft = { topic: '', content: normalizeContent(content), editedAtMs: editedAtMs ?? facts.nowMs };
  if (draft.editedAtMs < 0) throw new BadRequestError('Timestamp must not be negative.');
  if (kind === 'channel') {
    return { ...draft, topic: topicOf(topic), channelId: channelOf(toIds, facts), recipientIds: [] };
  }
  return { ...draft, recipientIds: kind === 'direct' ? recipientsOf(toIds, facts) : [] };
}

function topicOf(topic: string): string {
  if (topic.includes('\0')) throw new BadRequestError('Topic must not contain null bytes');
  return truncate(topic, LIMITS.topicLength, '...');
}

function channelOf(toIds: readonly number[], { channelIds }: DraftFacts): number {
  const [channelId] = toIds;
  if (channelId === undefined || toIds.length !== 1) {
    throw new BadRequestError('Must specify exactly 1 channel ID for channel messages');
  }
  if (!channelIds.has(channelId)) throw new BadRequestError('Invalid channel ID');
  return channelId;
}

/** A draft for oneself and others is one for the others. */
function recipientsOf(toIds: readonly number[], { userIds, authorId }: DraftFacts): number[] {
  const unknown = toIds.find((id) => !userIds.has(id));
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID ${unknown}`);
  const ids = [...new Set(toIds)].sort((a, b) => a - b);
  return ids.length > 1 ? ids.filter((id) => id !== authorId) : ids;
}
