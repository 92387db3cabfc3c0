import type { Message, MessageEdit, MessageEdits, Reaction, Submessage, TopicLink, User } from '../proto';
import { displayTopic, isSafeUrl, toSeconds } from '../values';
import { avatarUrl } from './users';

export interface MessageView {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  isEmptyTopicUnderstood: boolean;
}

/** The API's message object, without `flags`; in GET /messages and in `message` events. */
export function publicMessage(message: Message, view: MessageView): Record<string, unknown> {
  const { sender, channelId } = message;
  const isChannelMessage = channelId !== undefined;
  // NOTE: members are assigned, not spread: pages are made of these, and each spread is a copy.
  const shown: Record<string, unknown> = {
    id: message.id,
    sender_id: sender?.id,
    content: view.applyMarkdown ? message.renderedContent : message.content,
    content_type: view.applyMarkdown ? 'text/html' : 'text/x-markdown',
    recipient_id: message.recipientId,
    timestamp: toSeconds(message.sentAtMs),
    client: message.clientName,
    subject: isChannelMessage ? displayTopic(message.topic, view.isEmptyTopicUnderstood) : '',
    topic_links: publicTopicLinks(message.topicLinks),
    is_me_message: message.isMeMessage,
    reactions: message.reactions.map(publicReaction),
    submessages: message.submessages.map(publicSubmessage),
    sender_full_name: sender?.fullName,
    sender_email: sender?.email,
    sender_realm_str: message.senderRealm,
    avatar_url: sender ? avatarUrl(sender, view.clientGravatar) : null,
    display_recipient: isChannelMessage ? message.channelName : displayRecipients(message.participants),
    type: isChannelMessage ? 'stream' : 'private',
  };
  if (isChannelMessage) shown['stream_id'] = channelId;
  if (message.edits) Object.assign(shown, editMembers(message.edits, view));
  return shown;
}

/** The same with its reader's flags. */
export function messageForReader(message: Message, view: MessageView): Record<string, unknown> {
  const shown = publicMessage(message, view);
  shown['flags'] = message.flags;
  return shown;
}

/** Also with a search's highlighted matches. */
export function foundMessage(message: Message, view: MessageView): Record<string, unknown> {
  const { matchContent, matchTopic, channelId } = message;
  const shown = messageForReader(message, view);
  if (matchContent !== undefined) shown['match_content'] = matchContent;
  if (matchTopic !== undefined) {
    const isTopic = channelId !== undefined;
    shown['match_subject'] = isTopic ? displayTopic(matchTopic, view.isEmptyTopicUnderstood) : matchTopic;
  }
  return shown;
}

/** Links for a topic; addresses stored before they were checked are checked here. */
export function publicTopicLinks(links: readonly TopicLink[]) {
  return links.filter(({ url }) => isSafeUrl(url)).map(({ text, url }) => ({ text, url }));
}

function publicReaction({ userId, emojiName, emojiCode, reactionType }: Reaction) {
  return { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType, user_id: userId };
}

function publicSubmessage({ id, messageId, senderId, msgType, content }: Submessage) {
  return { id, message_id: messageId, sender_id: senderId, msg_type: msgType, content };
}

function editMembers(edits: MessageEdits, { isEmptyTopicUnderstood }: MessageView) {
  const { history, isHistoryShown, lastEditedAtMs, lastMovedAtMs } = edits;
  return {
    ...(isHistoryShown && { edit_history: history.map((edit) => publicEdit(edit, isEmptyTopicUnderstood)) }),
    ...(lastEditedAtMs !== undefined && { last_edit_timestamp: toSeconds(lastEditedAtMs) }),
    ...(lastMovedAtMs !== undefined && { last_moved_timestamp: toSeconds(lastMovedAtMs) }),
  };
}

function publicEdit(edit: MessageEdit, isEmptyTopicUnderstood: boolean) {
  const { userId, editedAtMs, prevContent, prevRenderedContent, prevTopic, topic, prevChannelId, channelId } = edit;
  const shown = (name: string) => displayTopic(name, isEmptyTopicUnderstood);
  return {
    user_id: userId,
    timestamp: toSeconds(editedAtMs),
    ...(prevContent !== undefined && { prev_content: prevContent, prev_rendered_content: prevRenderedContent }),
    ...(prevTopic !== undefined && topic !== undefined && { prev_topic: shown(prevTopic), topic: shown(topic) }),
    ...(prevChannelId !== undefined && { prev_stream: prevChannelId, stream: channelId }),
  };
}

/** A one-to-one conversation is listed by e-mail, a group by id, as existing clients expect. */
function displayRecipients(participants: readonly User[]) {
  const order = participants.length === 2 ? byEmail : byId;
  return [...participants]
    .sort(order)
    .map(({ id, email, fullName }) => ({ id, email, full_name: fullName, is_mirror_dummy: false }));
}

const byId = (a: User, b: User) => a.id - b.id;
const byEmail = (a: User, b: User) => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0);
