import type { Message, User } from '@parley/shared/proto';
import { textLanguage } from '@parley/shared/texts';
import { PUSH_TEXTS } from '@parley/shared/texts/pushes';
import { directMessageHref, displayTopic, messageHref, toSeconds } from '@parley/shared/values';
import { plainText, shorten } from './plain-text';
import { type PlannedMessage, type PlannedNotification, SUMMARY } from './plan-delivery';

/** The reader of notifications, and what their settings allow to be told. */
export interface PushReader {
  userId: number;
  language: string;
  realmName: string;
  realmUrl: string;
  /** Whether notifications may contain the text of direct messages. */
  showsDirectContent: boolean;
  /** Nothing but a count may be told: the way to the device is not encrypted, and the organization requires it. */
  tellsNothing: boolean;
}

/** A message in a notification. All but the id are absent where nothing may be told. */
export interface NotedMessage {
  id: number;
  trigger?: string;
  sender_id?: number;
  sender_full_name?: string;
  channel_id?: number;
  channel_name?: string;
  topic?: string;
  participant_ids?: number[];
  content?: string;
  timestamp?: number;
}

/** A notification as a device shows it, in place of an earlier one with the same tag. */
export interface ShownNote {
  type: 'show';
  tag: string;
  title: string;
  body: string;
  /** Below the address of the organization. */
  path: string;
  lang: string;
  /** False: it is only brought up to date, without a sound. */
  is_new: boolean;
  /** Unread ones, oldest first. */
  messages: NotedMessage[];
}

/** Closes a notification. */
export interface ClosedNote {
  type: 'close';
  tag: string;
}

export type Note = ShownNote | ClosedNote;

const LONGEST_TEXT = 300;
const LONGEST_NAME = 100;
/** The newest ones; earlier ones are counted. */
const MOST_LINES = 4;

/** The texts in a reader's language. */
export const textsFor = (language: string) => PUSH_TEXTS[textLanguage(language)];

export function composeNote({ tag, messages, isNew }: PlannedNotification, reader: PushReader): Note {
  const newest = messages.at(-1);
  if (newest === undefined) return { type: 'close', tag };
  const common = { type: 'show', tag, lang: reader.language, is_new: isNew } as const;
  const noted = messages.map((each) => notedMessage(each, reader));
  if (tag === SUMMARY || reader.tellsNothing) {
    return { ...common, title: reader.realmName, body: countOf(messages, reader), path: '/#inbox', messages: noted };
  }
  const path = hrefOf(newest.message);
  return { ...common, title: titleOf(newest.message, reader), body: bodyOf(messages, reader), path, messages: noted };
}

function countOf({ length }: readonly PlannedMessage[], { language }: PushReader): string {
  const t = textsFor(language);
  return length === 1 ? t.newMessage : t.summary(length);
}

function notedMessage({ row, message }: PlannedMessage, reader: PushReader): NotedMessage {
  if (reader.tellsNothing) return { id: message.id };
  const { id, sender, channelId, channelName, topic, participants, sentAtMs } = message;
  const conversation =
    channelId === undefined
      ? { participant_ids: participants.map((user) => user.id) }
      : { channel_id: channelId, channel_name: channelName, topic };
  const from = { sender_id: (sender as User).id, sender_full_name: nameOf(sender as User) };
  return {
    ...{ id, trigger: row.trigger, ...from, ...conversation, timestamp: toSeconds(sentAtMs) },
    ...(mayShow(message, reader) && { content: plainText(message.renderedContent, LONGEST_TEXT) }),
  };
}

const mayShow = ({ channelId }: Message, { showsDirectContent }: PushReader) =>
  channelId !== undefined || showsDirectContent;

function titleOf(message: Message, { userId }: PushReader): string {
  const { channelId, channelName, topic, participants, sender } = message;
  if (channelId !== undefined) return shorten(`#${channelName} › ${displayTopic(topic, false)}`, LONGEST_NAME);
  const others = participants.filter(({ id }) => id !== userId);
  const names = (others.length > 0 ? others : [sender as User]).map(nameOf);
  return shorten(names.join(', '), LONGEST_NAME);
}

function bodyOf(messages: readonly PlannedMessage[], reader: PushReader): string {
  const t = textsFor(reader.language);
  const lines = messages.slice(-MOST_LINES).map(({ message }) => lineOf(message, reader));
  const earlier = messages.length - lines.length;
  return [...(earlier > 0 ? [t.more(earlier)] : []), ...lines].join('\n');
}

/** A conversation of two needs no names: the title has the other one's. */
function lineOf(message: Message, reader: PushReader): string {
  const { channelId, participants, renderedContent, sender, isMeMessage } = message;
  const { newMessage } = textsFor(reader.language);
  const text = (mayShow(message, reader) && plainText(renderedContent, LONGEST_TEXT)) || newMessage;
  if (isMeMessage && text.startsWith('/me ')) return nameOf(sender as User) + text.slice('/me'.length);
  return channelId === undefined && participants.length <= 2 ? text : `${nameOf(sender as User)}: ${text}`;
}

const nameOf = ({ fullName }: User) => shorten(fullName, LONGEST_NAME);

function hrefOf({ id, channelId, channelName, topic, participants }: Message): string {
  if (channelId !== undefined) return messageHref({ id: channelId, name: channelName }, topic, String(id));
  const participantIds = participants.map((user) => user.id);
  return directMessageHref(participantIds, String(id));
}
