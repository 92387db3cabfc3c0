import { BadRequestError } from '@parley/shared/errors';
import { channelLink, quote, silentMention } from '@parley/shared/notice-text';
import type {
  ComposedReminder,
  ComposeReminderRequest,
  FindPurgedRequest,
  FindUnreadableRequest,
  Message,
  PurgedMessages,
  UnreadableMessages,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, LIMITS, truncate } from '@parley/shared/values';
import { channelsOf, loadReader } from '../access/load-reader';
import { maySee } from '../access/permissions';
import { renderAs } from '../content/render-as';
import { type WidgetType, widgetOf } from '../content/widget';
import type { Context } from '../context';
import { messageLink } from '../messages/present-messages';
import { getMessage } from '../search/get-messages';
import { loadPlaces } from './places.sql';

const NOTHING_NAMED = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };

/** The notification bot's reminder to the caller of a message that they may read. */
export async function composeReminder(
  ctx: Context,
  caller: Caller,
  { messageId, note: typed }: ComposeReminderRequest,
): Promise<ComposedReminder> {
  const note = checkNote(typed);
  const [message, botId] = await Promise.all([getMessage(ctx, caller, { messageId }), findBot(ctx, caller)]);
  const content = reminderText(message, note);
  const bot = { ...caller, userId: botId, credential: undefined };
  const { html: renderedContent } = await renderAs(ctx, bot, content, undefined, [caller.userId]);
  return { botId, content, renderedContent };
}

function checkNote(typed: string): string {
  const note = typed.trimEnd().replace(/^\n+/, '');
  const limit = LIMITS.reminderNoteLength;
  if (codePointLength(note) > limit) throw new BadRequestError(`Maximum reminder note length: ${limit} characters`);
  if (note.includes('\0')) throw new BadRequestError('Message must not contain null bytes');
  return note;
}

async function findBot(ctx: Context, caller: Caller): Promise<number> {
  const query = { channelIds: [], ...NOTHING_NAMED, withoutSend: true };
  const { notificationBot } = await ctx.services.realm.getEditFacts(caller, query);
  if (!notificationBot) throw new Error(`organization ${caller.realmId} has no notification bot`);
  return notificationBot.id;
}

/** The messages that the caller may not read now, including those without any row left. */
export async function findUnreadable(
  ctx: Context,
  caller: Caller,
  { messageIds }: FindUnreadableRequest,
): Promise<UnreadableMessages> {
  const places = await loadPlaces(ctx.db, caller.realmId, messageIds);
  const reader = await loadReader(ctx, caller, channelsOf(places));
  const readable = new Set(places.filter((place) => maySee(place, reader)).map(({ id }) => id));
  return { messageIds: messageIds.filter((id) => !readable.has(id)) };
}

/** The messages without any row left. */
export async function findPurged(
  { db }: Pick<Context, 'db'>,
  { realmId, messageIds }: FindPurgedRequest,
): Promise<PurgedMessages> {
  const places = await loadPlaces(db, realmId, messageIds);
  const present = new Set(places.map(({ id }) => id));
  return { messageIds: messageIds.filter((id) => !present.has(id)) };
}

type Reminded = Pick<Message, 'id' | 'sender' | 'channelId' | 'channelName' | 'participants' | 'topic' | 'content'>;

const CUT_MARK = '\n[message truncated]';
const WIDGETS: Readonly<Record<WidgetType, string | undefined>> = {
  poll: 'a poll',
  todo: 'a todo list',
  zform: undefined,
};

/** The text of a reminder: the message's location, the reader's note, and the content, cut to the limit. */
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

/** The text as a quote, cut to the limit. */
function fitting(text: string, room: number): string {
  const around = codePointLength(quote(text)) - codePointLength(text);
  return quote(truncate(text, Math.max(codePointLength(CUT_MARK), room - around), CUT_MARK));
}
