import type { MailQuote, MailSection } from '@parley/shared/mail';
import type { Message, User } from '@parley/shared/proto';
import type { MailTexts } from '@parley/shared/texts/mails';
import { directMessageHref, groupBy, messageHref, truncate } from '@parley/shared/values';
import { conversationOf } from './conversation';
import { messageText, type TextView } from './message-text';

/** A conversation with unread messages, oldest first. */
export interface Conversation {
  key: string;
  /** What it is called in this mail. */
  name: string;
  messages: readonly Message[];
}

export interface ShownTo {
  userId: number;
  /** The organization's address. */
  url: string;
  texts: MailTexts['missed'];
  moment(atMs: number): string;
  /** Whether the mail may quote messages. */
  isContentShown: boolean;
}

/** The conversations of messages as they are now: moved messages are where they have been moved to. */
export function conversationsOf(messages: readonly Message[], to: ShownTo): Conversation[] {
  return [...groupBy(messages, conversationOf)].map(([key, ofOne]) => ({
    ...{ key, messages: [...ofOne].sort((a, b) => a.id - b.id) },
    name: nameOf(ofOne[0] as Message, to),
  }));
}

function nameOf({ channelId, channelName, topic, participants }: Message, { userId, texts }: ShownTo): string {
  if (channelId !== undefined) return topic === '' ? `#${channelName}` : `#${channelName} > ${topic}`;
  const others = participants.filter(({ id }) => id !== userId);
  return others.length === 0 ? texts.directToSelf : texts.direct(namesOf(others));
}

const MAX_NAMES = 5;

function namesOf(users: readonly User[]): string {
  const names = [...new Map(users.map(({ id, fullName }) => [id, fullName])).values()];
  return names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '');
}

/** More messages of a conversation are counted only. */
const MAX_QUOTED = 20;
const MAX_QUOTE_LENGTH = 2_000;

/** A conversation as part of a mail. */
export function sectionOf({ name, messages }: Conversation, to: ShownTo): MailSection {
  const { texts } = to;
  const url = to.url + placeOf(messages[0] as Message);
  if (!to.isContentShown) {
    const senders = messages.map(({ sender }) => sender as User);
    return { heading: name, url, quotes: [{ caption: texts.from(namesOf(senders)), text: '' }] };
  }
  const shown = messages.slice(-MAX_QUOTED);
  const left = messages.length - shown.length;
  const earlier: MailQuote[] = left === 0 ? [] : [{ caption: texts.earlier(left), text: '' }];
  return {
    heading: name,
    url,
    quotes: [...earlier, ...shown.map((message, at) => quoteOf(message, shown[at - 1], to))],
  };
}

function placeOf({ id, channelId, channelName, topic, participants }: Message): string {
  if (channelId !== undefined) return messageHref({ id: channelId, name: channelName }, topic, String(id));
  return directMessageHref(
    participants.map((user) => user.id),
    String(id),
  );
}

function quoteOf(message: Message, before: Message | undefined, { url, texts, moment }: ShownTo): MailQuote {
  const sender = message.sender as User;
  const view: TextView = { url, hidden: texts.hiddenPart, picture: texts.picture, moment };
  const said = truncate(messageText(message.renderedContent, view), MAX_QUOTE_LENGTH, '…');
  const text = message.isMeMessage ? `${sender.fullName} ${said.replace(/^\/me /, '')}` : said;
  if (before?.sender?.id === sender.id) return { text };
  return { caption: `${sender.fullName}, ${moment(message.sentAtMs)}`, text };
}
