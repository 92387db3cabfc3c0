import type { PublicEvent } from './rules';
import { type Item, known, listOf, messagesOf, type State } from './state';
import { moveUnread, setMentioned } from './unread';

/** The effect of an `update_message` event on a client's state. */
export function editMessage(state: State, event: PublicEvent): void {
  const { message_id: id, message_ids: ids, flags, rendering_only: isOnlyRendered } = event;
  const movedIds = new Set(ids as number[]);
  for (const concernedId of new Set([id as number, ...movedIds])) {
    const message = known(messagesOf(state), 'id', concernedId);
    if (!message) continue;
    const isMoved = movedIds.has(concernedId);
    remember(message, event, { ...(message['id'] === id && contentBefore(event)), ...(isMoved && placeBefore(event)) });
    if (message['id'] === id) editContent(message, event);
    if (isMoved) move(state, message, event);
  }
  if (!isOnlyRendered) setMentioned(state, id as number, isMentioned(flags));
  if (event['propagate_mode'] !== undefined) moveUnread(state, ids as number[], placeAfter(event));
}

/** Each edit adds an entry, for messages that the client has fetched, which are not in the state of registering. */
function remember(
  message: Item,
  { user_id, edit_timestamp: timestamp, rendering_only }: PublicEvent,
  before: Item,
): void {
  if (rendering_only || Object.keys(before).length === 0) return;
  const edit = { user_id, timestamp, ...before };
  message['edit_history'] = [edit, ...((message['edit_history'] ?? []) as Item[])];
}

function contentBefore({ orig_content, orig_rendered_content }: PublicEvent): Item {
  return orig_content === undefined ? {} : { prev_content: orig_content, prev_rendered_content: orig_rendered_content };
}

function placeBefore({ stream_id, new_stream_id: stream, subject: topic, orig_subject }: PublicEvent): Item {
  return {
    ...(topic !== undefined && { prev_topic: orig_subject, topic }),
    ...(stream !== undefined && { prev_stream: stream_id, stream }),
  };
}

function editContent(message: Item, event: PublicEvent): void {
  const { is_me_message, rendering_only: isOnlyRendered, edit_timestamp, flags } = event;
  // Events have both; a message has that which the client has asked for.
  const content = message['content_type'] === 'text/html' ? event['rendered_content'] : event['content'];
  if (content !== undefined) Object.assign(message, { content, is_me_message });
  if (isOnlyRendered) return;
  message['flags'] = flags;
  if (content !== undefined) message['last_edit_timestamp'] = edit_timestamp;
}

function move(state: State, message: Item, event: PublicEvent): void {
  const { propagate_mode: mode, new_stream_id: channelId, subject, topic_links, edit_timestamp } = event;
  if (mode === undefined) return;
  if (!isResolving(event)) message['last_moved_timestamp'] = edit_timestamp;
  if (subject !== undefined) Object.assign(message, { subject, topic_links });
  if (channelId === undefined) return;
  const channel = listOf(state, 'streams').find(({ stream_id: known }) => known === channelId);
  const { recipient_id } = messagesOf(state).find(({ stream_id: place }) => place === channelId) ?? {};
  Object.assign(message, { stream_id: channelId, display_recipient: channel?.['name'], recipient_id });
}

/** Resolving a topic, and unresolving it, moves nothing. */
function isResolving({ new_stream_id: channelId, subject, orig_subject: former }: PublicEvent): boolean {
  const bare = (topic: unknown) => String(topic).replace(/^✔ /, '');
  return channelId === undefined && subject !== former && bare(subject) === bare(former);
}

function placeAfter({ new_stream_id, stream_id, subject, orig_subject }: PublicEvent) {
  return { stream_id: (new_stream_id ?? stream_id) as number, topic: (subject ?? orig_subject) as string };
}

function isMentioned(flags: unknown): boolean {
  return (flags as string[]).some((flag) => flag.includes('mentioned'));
}
