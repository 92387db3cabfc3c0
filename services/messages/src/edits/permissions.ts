import { BadRequestError } from '@parley/shared/errors';
import { isModerator } from '@parley/shared/values';

/** Clients and servers do not agree on the time to the second. */
const SLACK_MS = 20_000;

/** What a rule about one message looks at. */
export interface Rights {
  actorId: number;
  role: number;
  /** Names of the permission settings, of the organization and of the message's channel, that allow the actor something. */
  realm: ReadonlySet<string>;
  channel: ReadonlySet<string>;
  nowMs: number;
}

export interface ContentSettings {
  allow_message_editing: boolean;
  message_content_edit_limit_seconds: number | null;
}

export interface Subject {
  senderId: number;
  sentAtMs: number;
}

/** Whether a time limit has passed; null is no limit. */
export function isTooLate(sentAtMs: number, limitSecs: number | null, nowMs: number, slackMs = SLACK_MS): boolean {
  return limitSecs !== null && nowMs - sentAtMs > limitSecs * 1000 + slackMs;
}

/** Throws unless the actor may change the content: senders may, for a while; nobody else may, whatever their role. */
export function checkContentEdit(
  message: Subject,
  settings: ContentSettings,
  { actorId, nowMs }: Pick<Rights, 'actorId' | 'nowMs'>,
  slackMs = SLACK_MS,
): void {
  if (!settings.allow_message_editing) throw new BadRequestError('Your organization has turned off message editing');
  if (message.senderId !== actorId) throw new BadRequestError("You don't have permission to edit this message");
  if (isTooLate(message.sentAtMs, settings.message_content_edit_limit_seconds, nowMs, slackMs)) {
    throw new BadRequestError('The time limit for editing this message has passed');
  }
}

/** Throws unless the actor may resolve topics, or take them up again. There is no time limit. */
export function checkResolve({ realm, channel }: Rights): void {
  if (realm.has('can_resolve_topics_group') || channel.has('can_resolve_topics_group')) return;
  throw new BadRequestError("You don't have permission to resolve topics in this channel.");
}

/** Throws unless the actor may move the message to another topic. */
export function checkTopicEdit(message: Subject, limitSecs: number | null, rights: Rights): void {
  const { realm, channel } = rights;
  if (!realm.has('can_move_messages_between_topics_group') && !channel.has('can_move_messages_within_channel_group')) {
    throw new BadRequestError("You don't have permission to edit this message");
  }
  if (!isModerator(rights.role) && isTooLate(message.sentAtMs, limitSecs, rights.nowMs)) {
    throw new BadRequestError("The time limit for editing this message's topic has passed.");
  }
}

/** Throws unless the actor may take messages out of the channel. */
export function checkMoveOut({ realm, channel }: Rights): void {
  if (realm.has('can_move_messages_between_channels_group')) return;
  if (channel.has('can_move_messages_out_of_channel_group')) return;
  throw new BadRequestError("You don't have permission to move this message");
}

/** Throws when the message is too old to be moved to another channel. */
export function checkMoveTime(message: Subject, limitSecs: number | null, { role, nowMs }: Rights): void {
  if (isModerator(role) || !isTooLate(message.sentAtMs, limitSecs, nowMs)) return;
  throw new BadRequestError("The time limit for editing this message's channel has passed");
}

/** The limit for moving a whole topic: the stricter of those that apply; null: none does. */
export function strictestLimit(limitsSecs: readonly (number | null)[]): number | null {
  const limits = limitsSecs.filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
