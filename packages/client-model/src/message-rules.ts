import { editMessage } from './message-edit';
import type { Rules } from './rules';
import {
  add,
  exclude,
  type Item,
  include,
  known,
  listOf,
  messagesOf,
  NotOneCut,
  type State,
  takeExisting,
} from './state';
import { addUnread, clearUnread, isMuted, removeUnread, type UnreadPlace } from './unread';

/** Messages, their read state, and topic policies. */
export const messageRules: Rules = {
  message(state, { message, flags }, { isAheadWithMessages }) {
    const known = message as Item;
    state['max_message_id'] = Math.max(state['max_message_id'] as number, known['id'] as number);
    const isThere = isAheadWithMessages && messageOf(state, known['id']) !== undefined;
    if (state['messages'] && !isThere) add(messagesOf(state), 'id', { ...known, flags });
    if (known['type'] === 'private') writeDirectly(state, known);
    if (!(flags as string[]).includes('read'))
      addUnread(state, known['id'] as number, placeOf(known), isHeard(state, known, flags as string[]));
  },
  update_message: (state, event) => editMessage(state, event),
  // Deleted messages may be missing in the state, which has only unread, starred and fetched messages.
  delete_message(state, { message_id: id, message_ids: ids = [id] }) {
    removeUnread(state, ids as number[]);
    takeExisting(messagesOf(state), 'id', ids as number[]);
    state['starred_messages'] = (state['starred_messages'] as number[]).filter(
      (star) => !(ids as number[]).includes(star),
    );
  },
  'update_message_flags/add'(state, { flag, messages, all }) {
    changeFlags(state, all ? null : (messages as number[]), (flags) => [
      ...flags.filter((other) => other !== flag),
      flag as string,
    ]);
    // The state has unread messages only: events may repeat that others are read, which changes nothing.
    if (flag === 'read' && all) clearUnread(state);
    if (flag === 'read') removeUnread(state, messages as number[]);
    if (flag === 'starred') changeStars(state, (stars) => include(stars, messages as number[]));
  },
  'update_message_flags/remove'(state, { flag, messages, message_details: details }) {
    const ids = messages as number[];
    changeFlags(state, ids, (flags) => flags.filter((other) => other !== flag));
    if (flag === 'read') for (const id of ids) putBack(state, id, (details as Record<string, Item>)[id] as Item);
    if (flag === 'starred') changeStars(state, (stars) => exclude(stars, ids));
  },
  'reaction/add'(
    state,
    { id: _, type: __, op: ___, user: ____, message_id: id, ...reaction },
    { isAheadWithMessages },
  ) {
    const message = messageOf(state, id);
    if (!message) return;
    const reactions = message['reactions'] as Item[];
    const isThere = reactions.some((other) => isSameReaction(other, reaction));
    if (!isThere) reactions.push(reaction);
    else if (!isAheadWithMessages) throw new NotOneCut('there is that reaction');
  },
  'reaction/remove'(state, { message_id: id, ...reaction }, { isAheadWithMessages }) {
    const message = messageOf(state, id);
    if (!message) return;
    const reactions = message['reactions'] as Item[];
    const others = reactions.filter((other) => !isSameReaction(other, reaction));
    const isThere = others.length < reactions.length;
    if (!isThere && !isAheadWithMessages) throw new NotOneCut('there is no such reaction');
    message['reactions'] = others;
  },
  submessage(state, { id: _, type: __, message_id, submessage_id: id, ...submessage }, { isAheadWithMessages }) {
    const message = messageOf(state, message_id);
    if (!message) return;
    const submessages = message['submessages'] as Item[];
    if (isAheadWithMessages) takeExisting(submessages, 'id', [id]);
    add(submessages, 'id', { id, message_id, ...submessage });
  },
  user_topic(state, { id: _, type: __, ...policy }) {
    const topics = listOf(state, 'user_topics');
    const isSame = (other: Item) =>
      other['stream_id'] === policy['stream_id'] &&
      String(other['topic_name']).toLowerCase() === String(policy['topic_name']).toLowerCase();
    const others = topics.filter((other) => !isSame(other));
    const isGone = policy['visibility_policy'] === 0 && others.length === topics.length;
    if (isGone) throw new NotOneCut('there is no decision about that topic');
    // A policy is simply set, possibly to its current value.
    state['user_topics'] = policy['visibility_policy'] === 0 ? others : [...others, policy];
  },
  // The complete list.
  muted_topics(state, { muted_topics: topics }) {
    state['muted_topics'] = topics;
  },
};

function placeOf({ type, stream_id, subject, display_recipient }: Item): UnreadPlace {
  if (type === 'stream') return { stream_id: stream_id as number, topic: subject as string };
  return { userIds: (display_recipient as { id: number }[]).map(({ id }) => id) };
}

/** The conversation with the newest message comes first. */
function writeDirectly(state: State, { id, display_recipient: recipients }: Item): void {
  const others = (recipients as { id: number }[])
    .map((user) => user.id)
    .filter((userId) => userId !== state['user_id']);
  const userIds = others.sort((a, b) => a - b);
  const conversations = listOf(state, 'recent_private_conversations');
  const known = conversations.find((other) => String(other['user_ids']) === String(userIds));
  if (known) known['max_message_id'] = Math.max(known['max_message_id'] as number, id as number);
  else conversations.push({ max_message_id: id, user_ids: userIds });
  conversations.sort((a, b) => (b['max_message_id'] as number) - (a['max_message_id'] as number));
}

/** The client may not have messages that become unread again: the event contains their locations. */
function putBack(state: State, id: number, { type, stream_id, topic, user_ids, mentioned }: Item): void {
  const others = user_ids as number[];
  const place =
    type === 'stream'
      ? { stream_id: stream_id as number, topic: topic as string }
      : { userIds: [...others, state['user_id'] as number] };
  addUnread(state, id, place, mentioned === true);
}

/** Whether a message mentions the user, or many in a topic that is not muted. */
function isHeard(state: State, message: Item, flags: readonly string[]): boolean {
  if (flags.includes('mentioned')) return true;
  if (!flags.some((flag) => flag.includes('mentioned'))) return false;
  return message['type'] !== 'stream' || !isMuted(state, { ...message, topic: message['subject'] });
}

/** Applies to these messages, or to all. */
function changeFlags(state: State, ids: readonly number[] | null, changed: (flags: string[]) => string[]): void {
  const named = ids && new Set(ids);
  for (const message of messagesOf(state)) {
    if (!named || named.has(message['id'] as number)) message['flags'] = changed(message['flags'] as string[]);
  }
}

function changeStars(state: State, apply: (stars: number[]) => void): void {
  const stars = state['starred_messages'] as number[];
  apply(stars);
  stars.sort((a, b) => a - b);
}

/** Undefined for a message that the client has not fetched: events may concern these, too. */
function messageOf(state: State, messageId: unknown): Item | undefined {
  return known(messagesOf(state), 'id', messageId);
}

function isSameReaction(a: Item, b: Item): boolean {
  return ['user_id', 'emoji_code', 'reaction_type'].every((name) => a[name] === b[name]);
}
