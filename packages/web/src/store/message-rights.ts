import type { Message } from './messages';
import { type Channel, channel, person, read, subscription } from './model';
import { isAmong } from './rights';

/** The user's rights on a message. */
export interface MessageRights {
  mayEdit: boolean;
  /** Until when, in seconds of UNIX time; null: without limit. */
  editableUntil: number | null;
  mayMoveToTopic: boolean;
  mayMoveToChannel: boolean;
  mayResolve: boolean;
  mayDelete: boolean;
  mayReport: boolean;
  maySeeHistory: boolean;
  maySeeReaders: boolean;
  mayMarkUnread: boolean;
}

/** A bound in time: null is none. */
export function isWithin(limitSeconds: number | null, sentAt: number, now: number): boolean {
  return limitSeconds === null || now < sentAt + limitSeconds;
}

/** Whether it is in an archived channel, where messages stay as they are. */
export function isFrozen({ stream_id: channelId }: Pick<Message, 'stream_id'>): boolean {
  return channelId !== undefined && channel(channelId)?.is_archived === true;
}

/** Derived from the state, so that nothing is offered that the server would refuse. `now`: in seconds. */
export function rightsOver(each: Message, now: number): MessageRights {
  const state = read('settings', 'channels', 'people');
  const isOwn = each.sender_id === state.user_id;
  const limit = state.realm_message_content_edit_limit_seconds;
  const isArchived = isFrozen(each);
  const isWidget = each.submessages.length > 0;
  const mayEdit =
    isOwn && !isWidget && !isArchived && state.realm_allow_message_editing && isWithin(limit, each.timestamp, now);
  return {
    mayEdit,
    editableUntil: limit === null ? null : each.timestamp + limit,
    ...(isArchived ? NO_MOVES : movesOf(each, now)),
    mayDelete: !isArchived && mayDelete(each, now),
    mayReport: !isOwn && state.realm_moderation_request_channel_id > 0,
    maySeeHistory: hasHistory(each),
    maySeeReaders: state.realm_enable_read_receipts,
    // Elsewhere everything counts as read.
    mayMarkUnread: !isArchived && (each.stream_id === undefined || subscription(each.stream_id) !== undefined),
  };
}

const NO_MOVES = { mayMoveToTopic: false, mayMoveToChannel: false, mayResolve: false };

/** Whether the user moves messages of a channel to other topics of it, or to other channels, as long as they are new enough. */
export function movesFrom(place: Channel): { mayWithin: boolean; mayOut: boolean } {
  const state = read('settings', 'channels', 'people');
  const mayWithin =
    isAmong(state.realm_can_move_messages_between_topics_group) ||
    isAmong(place.can_move_messages_within_channel_group);
  const mayOut =
    isAmong(state.realm_can_move_messages_between_channels_group) ||
    isAmong(place.can_move_messages_out_of_channel_group);
  return { mayWithin, mayOut };
}

function movesOf({ stream_id, timestamp, subject }: Message, now: number) {
  const state = read('settings', 'channels', 'people');
  const place = stream_id === undefined ? undefined : channel(stream_id);
  if (!place) return NO_MOVES;
  const isExempt = state.is_admin || state.is_moderator;
  const isInTime = (limit: number | null) => isExempt || isWithin(limit, timestamp, now);
  const { mayWithin, mayOut } = movesFrom(place);
  const mayResolve = isAmong(state.realm_can_resolve_topics_group) || isAmong(place.can_resolve_topics_group);
  return {
    mayMoveToTopic: mayWithin && isInTime(state.realm_move_messages_within_stream_limit_seconds),
    mayMoveToChannel: mayOut && isInTime(state.realm_move_messages_between_streams_limit_seconds),
    // General chat has no name that could have a mark.
    mayResolve: mayResolve && subject !== '',
  };
}

function mayDelete({ sender_id, stream_id, timestamp }: Message, now: number): boolean {
  const state = read('settings', 'channels', 'people');
  const place = stream_id === undefined ? undefined : channel(stream_id);
  if (isAmong(state.realm_can_delete_any_message_group) || isAmong(place?.can_delete_any_message_group)) return true;
  const isOwn = sender_id === state.user_id || person(sender_id)?.bot_owner_id === state.user_id;
  const mayOwn = isAmong(state.realm_can_delete_own_message_group) || isAmong(place?.can_delete_own_message_group);
  return isOwn && mayOwn && isWithin(state.realm_message_content_delete_limit_seconds, timestamp, now);
}

function hasHistory({ last_edit_timestamp: edited, last_moved_timestamp: moved }: Message): boolean {
  const policy = read('settings').realm_message_edit_history_visibility_policy;
  if (policy === 'none') return false;
  return moved !== undefined || (policy === 'all' && edited !== undefined);
}

const MARK = '✔ ';

export const isResolved = (topic: string) => topic.startsWith(MARK);
export const withoutMark = (topic: string) => topic.replace(/^(?:✔ )+/, '');
export const toggled = (topic: string) => (isResolved(topic) ? withoutMark(topic) : `${MARK}${topic}`);
