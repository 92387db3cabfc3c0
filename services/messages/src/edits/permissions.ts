import { BadRequestError, MoveMessagesTimeLimitExceededError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isModerator } from '@parley/shared/values';

/** Tolerance for differences between the clocks of clients and servers. */
const SLACK_MS = 20_000;

/** Names of the permission settings, of the organization and of the message's channel, that include the actor. */
interface Granted {
  realm: ReadonlySet<string>;
  channel: ReadonlySet<string>;
}

/** Input of the rules about one message. */
export interface Rights extends Granted {
  actorId: number;
  role: number;
  nowMs: number;
}

interface ContentSettings {
  allow_message_editing: boolean;
  message_content_edit_limit_seconds: number | null;
}

interface Subject {
  senderId: number;
  sentAtMs: number;
}

/** Whether a time limit has passed; null is no limit. */
export function isTooLate(sentAtMs: number, limitSecs: number | null, nowMs: number, slackMs = SLACK_MS): boolean {
  return limitSecs !== null && nowMs - sentAtMs > limitSecs * 1000 + slackMs;
}

/** Throws unless the actor may change the content: only senders may, within the time limit, regardless of roles. */
export function checkContentEdit(
  message: Subject,
  settings: ContentSettings,
  { actorId, nowMs }: Pick<Rights, 'actorId' | 'nowMs'>,
  slackMs = SLACK_MS,
): void {
  if (!settings.allow_message_editing) throw new BadRequestError(REFUSAL.messages.noEditing);
  if (message.senderId !== actorId) throw new BadRequestError(REFUSAL.messages.mayNotEdit);
  if (isTooLate(message.sentAtMs, settings.message_content_edit_limit_seconds, nowMs, slackMs)) {
    throw new BadRequestError(REFUSAL.messages.tooLateToEdit);
  }
}

/** Throws unless the actor may resolve and unresolve topics. There is no time limit. */
export function checkResolve({ realm, channel }: Granted): void {
  if (realm.has('can_resolve_topics_group') || channel.has('can_resolve_topics_group')) return;
  throw new BadRequestError(REFUSAL.messages.mayNotResolve);
}

/** Throws unless the actor may move messages to another topic. */
export function checkTopicEdit({ realm, channel }: Granted): void {
  if (realm.has('can_move_messages_between_topics_group')) return;
  if (channel.has('can_move_messages_within_channel_group')) return;
  throw new BadRequestError(REFUSAL.messages.mayNotEdit);
}

/** Throws unless the actor may move messages out of the channel. */
export function checkMoveOut({ realm, channel }: Granted): void {
  if (realm.has('can_move_messages_between_channels_group')) return;
  if (channel.has('can_move_messages_out_of_channel_group')) return;
  throw new BadRequestError(REFUSAL.messages.mayNotMove);
}

interface MoveSettings {
  move_messages_within_stream_limit_seconds: number | null;
  move_messages_between_streams_limit_seconds: number | null;
}

/** Maximum age of moved messages, the smaller limit if both apply; null: any age. Resolving has none. */
export function moveLimit(
  settings: MoveSettings,
  { isToOtherTopic, isToOtherChannel }: { isToOtherTopic: boolean; isToOtherChannel: boolean },
  { role }: Pick<Rights, 'role'>,
): number | null {
  if (isModerator(role)) return null;
  const limits = [
    isToOtherTopic ? settings.move_messages_within_stream_limit_seconds : null,
    isToOtherChannel ? settings.move_messages_between_streams_limit_seconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

/** Throws if messages are too old to move, with those (ascending, visible to the actor) that may still be moved. */
export function checkMoveTime(
  { moving, visible }: { moving: readonly TopicMessage[]; visible: readonly TopicMessage[] },
  limitSecs: number | null,
  nowMs: number,
): void {
  const isLate = ({ sentAtMs }: TopicMessage) => isTooLate(sentAtMs, limitSecs, nowMs);
  if (!moving.some(isLate)) return;
  const movable = visible.slice(visible.findLastIndex(isLate) + 1);
  throw new MoveMessagesTimeLimitExceededError(movable[0]?.id ?? null, movable.length, visible.length);
}

type TopicMessage = { id: number; sentAtMs: number };
