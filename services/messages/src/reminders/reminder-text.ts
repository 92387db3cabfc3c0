import { channelLink, quote, silentMention } from '@parley/shared/notice-text';
import type { Message, User } from '@parley/shared/proto';
import { codePointLength, LIMITS, truncate } from '@parley/shared/values';
import { messageLink } from '../messages/message-link';
import { type WidgetType, widgetOf } from '../submessages/widget';

type Reminded = Pick<Message, 'id' | 'sender' | 'channelId' | 'channelName' | 'participants' | 'topic' | 'content'>;

const CUT_MARK = '\n[message truncated]';
const WIDGETS: Readonly<Record<WidgetType, string | undefined>> = {
  poll: 'a poll',
  todo: 'a todo list',
  zform: undefined,
};

/** What a reminder of a message says: where the message is, what its reader noted, and what it said, as far as there is room. */
export function reminderText(message: Reminded, note: string): string {
  const sender = message.sender as User;
  const begin = `${opening(message, note)}\n\n${silentMention(sender)}`;
  const link = messageLink(message);
  const type = widgetOf(message.content)?.widget_type;
  const widget = type && WIDGETS[type];
  if (widget !== undefined) return `${begin} [sent](${link}) ${widget}.`;
  const introduction = `${begin} [said](${link}):\n`;
  return introduction + fitting(message.content, LIMITS.messageLength - codePointLength(introduction));
}

function opening(message: Reminded, note: string): string {
  const subject =
    message.channelId === undefined
      ? 'You requested a reminder for the following direct message.'
      : `You requested a reminder for ${linkTo(message)}.`;
  return note === '' ? subject : `${subject} Note:\n${note.replace(/^/gm, '> ')}`;
}

function linkTo(message: Reminded): string {
  const { id, channelName, topic } = message;
  const link = channelLink({ id: message.channelId as number, name: channelName });
  const isSafe = link.startsWith('#**') && !/[*`\n]|\$\$/.test(topic);
  return isSafe ? `#**${channelName}>${topic}@${id}**` : `[a message](${messageLink(message)})`;
}

/** The text as a quote that takes no more room than there is. */
function fitting(text: string, room: number): string {
  const around = codePointLength(quote(text)) - codePointLength(text);
  return quote(truncate(text, Math.max(codePointLength(CUT_MARK), room - around), CUT_MARK));
}
