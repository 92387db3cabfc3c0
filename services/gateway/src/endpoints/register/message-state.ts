import type {
  MessageState,
  Schedule,
  TopicPolicies,
  UnreadDirect,
  UnreadMessages,
  Writings,
} from '@parley/shared/proto';
import { displayTopic } from '@parley/shared/values';
import {
  publicDraft,
  publicMutedTopic,
  publicReminder,
  publicSavedSnippet,
  publicScheduledMessage,
  publicTopicPolicy,
} from '@parley/shared/wire';
import { z } from 'zod';
import { draftSchema, reminderSchema, savedSnippetSchema, scheduledMessageSchema } from '../../wire/unsent';

const ids = z.array(z.int()).describe('Ascending.');

const unreadSchema = z.strictObject({
  count: z.int().describe('Of those that are not muted.'),
  pms: z.array(
    z.strictObject({ other_user_id: z.int(), sender_id: z.int().describe('Deprecated.'), unread_message_ids: ids }),
  ),
  streams: z.array(z.strictObject({ stream_id: z.int(), topic: z.string(), unread_message_ids: ids })),
  huddles: z.array(z.strictObject({ user_ids_string: z.string(), unread_message_ids: ids })),
  mentions: ids,
  old_unreads_missing: z.boolean(),
});

export const readStateFields = {
  max_message_id: z.int().describe('Deprecated.'),
  unread_msgs: unreadSchema,
  starred_messages: ids,
  recent_private_conversations: z
    .array(z.strictObject({ max_message_id: z.int(), user_ids: z.array(z.int()).describe('Without the caller.') }))
    .describe('The newest 1000, the one with the newest message first.'),
};

const RECENT_DIRECTS = 'recent_private_conversations';

/** The parts of the messages' state that a client requests; undefined: none. */
export function wantedReadState(isWanted: (type: string) => boolean) {
  const [includesStarred, includesRecentDirects] = [isWanted('starred_messages'), isWanted(RECENT_DIRECTS)];
  if (!isWanted('message') && !includesStarred && !includesRecentDirects) return undefined;
  const includesUnread = isWanted('message') && isWanted('update_message_flags');
  return { includesUnread, includesStarred, includesRecentDirects };
}

export function publicReadState(
  { maxMessageId, unread, starredIds, recentDirects }: MessageState,
  isWanted: (type: string) => boolean,
  view: { userId: number; isEmptyTopicUnderstood: boolean },
) {
  return {
    ...(isWanted('message') && { max_message_id: maxMessageId }),
    ...(unread && { unread_msgs: publicUnread(unread, view) }),
    ...(isWanted('starred_messages') && { starred_messages: starredIds }),
    ...(isWanted(RECENT_DIRECTS) && {
      recent_private_conversations: recentDirects.map(({ maxMessageId: newestId, participantIds }) => ({
        max_message_id: newestId,
        user_ids: participantIds.filter((id) => id !== view.userId),
      })),
    }),
  };
}

function publicUnread(unread: UnreadMessages, view: { userId: number; isEmptyTopicUnderstood: boolean }) {
  const isGroup = ({ participantIds }: UnreadDirect) => participantIds.length > 2;
  const directs = unread.directs.filter((direct) => !isGroup(direct));
  return {
    count: unread.count,
    pms: directs
      .map(({ participantIds, messageIds }) => {
        // In a conversation with oneself the caller is the other user.
        const otherId = participantIds.find((id) => id !== view.userId) ?? view.userId;
        return { other_user_id: otherId, sender_id: otherId, unread_message_ids: messageIds };
      })
      .sort((a, b) => a.other_user_id - b.other_user_id),
    streams: unread.topics.map(({ channelId, topic, messageIds }) => ({
      stream_id: channelId,
      topic: displayTopic(topic, view.isEmptyTopicUnderstood),
      unread_message_ids: messageIds,
    })),
    huddles: unread.directs.filter(isGroup).map(({ participantIds, messageIds }) => ({
      user_ids_string: participantIds.join(','),
      unread_message_ids: messageIds,
    })),
    mentions: unread.mentionIds,
    old_unreads_missing: unread.hasOlder,
  };
}

const MUTED = 1;

/** Fields of POST /register; a client gets the requested ones. */
export const topicPolicyFields = {
  user_topics: z.array(
    z.strictObject({
      stream_id: z.int(),
      topic_name: z.string(),
      last_updated: z.int(),
      visibility_policy: z.int().describe('1: muted, 2: unmuted, 3: followed.'),
    }),
  ),
  muted_topics: z
    .array(z.tuple([z.string(), z.string(), z.int()]))
    .describe('Deprecated: channel, topic and time; only for clients that do not ask for `user_topic`.'),
};

/** Whether a client requests its user's topic policies. */
export function wantsTopicPolicies(isWanted: (type: string) => boolean): boolean {
  return isWanted('user_topic') || isWanted('muted_topics');
}

export function publicTopicPolicies(
  { topicPolicies }: TopicPolicies,
  wanted: readonly string[] | undefined,
  isEmptyTopicUnderstood: boolean,
) {
  const isAnyWanted = wanted === undefined;
  const wantsPolicies = isAnyWanted || wanted.includes('user_topic');
  const muted = topicPolicies.filter(({ policy }) => policy === MUTED);
  return {
    ...(wantsPolicies && {
      user_topics: topicPolicies.map((policy) => publicTopicPolicy(policy, isEmptyTopicUnderstood)),
    }),
    ...((isAnyWanted || !wantsPolicies) && {
      muted_topics: muted.map((policy) => publicMutedTopic(policy, isEmptyTopicUnderstood)),
    }),
  };
}

/** Fields of POST /register, by the event types that select them. */
export const writingFields = {
  drafts: z.array(draftSchema).describe('The newest 1000, the one that was edited last first.'),
  saved_snippets: z.array(savedSnippetSchema),
};

type WritingType = keyof typeof writingFields;

/** The request to the messages service; null: none. */
export function wantedWritings(isWanted: (type: string) => boolean) {
  const [includesDrafts, includesSavedSnippets] = [isWanted('drafts'), isWanted('saved_snippets')];
  return includesDrafts || includesSavedSnippets ? { includesDrafts, includesSavedSnippets } : null;
}

/** The requested fields. */
export function publicWritings({ drafts, savedSnippets }: Writings, isWanted: (type: string) => boolean) {
  const fields = { drafts: drafts.map(publicDraft), saved_snippets: savedSnippets.map(publicSavedSnippet) };
  return Object.fromEntries(Object.entries(fields).filter(([type]) => isWanted(type as WritingType)));
}

/** Fields of POST /register, by the event types that select them. */
export const scheduleFields = {
  scheduled_messages: z.array(scheduledMessageSchema).describe('By time.'),
  reminders: z.array(reminderSchema).describe('By time.'),
};

type ScheduleType = keyof typeof scheduleFields;

/** The request to the scheduler; null: none. */
export function wantedSchedule(isWanted: (type: string) => boolean) {
  const [includesScheduledMessages, includesReminders] = [isWanted('scheduled_messages'), isWanted('reminders')];
  return includesScheduledMessages || includesReminders ? { includesScheduledMessages, includesReminders } : null;
}

/** The requested fields. */
export function publicSchedule({ scheduledMessages, reminders }: Schedule, isWanted: (type: string) => boolean) {
  const fields = {
    scheduled_messages: scheduledMessages.map(publicScheduledMessage),
    reminders: reminders.map(publicReminder),
  };
  return Object.fromEntries(Object.entries(fields).filter(([type]) => isWanted(type as ScheduleType)));
}
