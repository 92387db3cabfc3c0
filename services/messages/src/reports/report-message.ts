import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { noticeAnnounced } from '@parley/shared/events';
import { messageHref } from '@parley/shared/markdown';
import { quote, silentMention } from '@parley/shared/notice-text';
import type { ReportMessageRequest, ReportMessageResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import {
  codePointLength,
  LIMITS,
  NO_CHANNEL,
  REPORT_TYPES,
  type ReportType,
  realmSettingsOf,
  truncate,
} from '@parley/shared/values';
import { readerOf } from '../access/load-reader';
import { mayRead, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { loadMessages, type MessageRow } from '../messages/message.sql';

/** Reports a message to the organization's moderators, by a notice of the notification bot. */
export async function reportMessage(
  ctx: Context,
  caller: Caller,
  request: ReportMessageRequest,
): Promise<ReportMessageResponse> {
  const { reader, reporter, botId } = await gatherFacts(ctx, caller);
  const channelId = moderationChannelOf(reader);
  checkDescription(request);
  const message = await accessMessage(ctx, caller, request.messageId, reader);
  const { users } = await ctx.services.realm.getUsers(caller, { userIds: [message.senderId] });
  const [sender] = users;
  if (!sender) throw new Error(`no sender is known for message ${message.id}`);
  const channelName = reader.channels.get(message.channelId ?? 0)?.name ?? '';
  const content = reportText({ reporter, sender, message, channelName, ...request });
  const notice = { senderId: botId, to: { channelId, topic: reportTopic(sender) }, content, readByIds: [] };
  await ctx.db.transaction((tx) => announce(tx, noticeAnnounced(caller.realmId, notice)));
  return {};
}

async function gatherFacts(ctx: Context, caller: Caller): Promise<{ reader: Reader; reporter: User; botId: number }> {
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const { read, notificationBot } = await ctx.services.realm.getEditFacts(caller, { channelIds: [], ...names });
  if (!read?.reader || !notificationBot) throw new Error(`realm does not know the reporter ${caller.userId}`);
  return { reader: readerOf(caller, read), reporter: read.reader, botId: notificationBot.id };
}

function moderationChannelOf({ realm }: Reader): number {
  const { moderation_request_channel_id: channelId } = realmSettingsOf(realm);
  if (channelId === NO_CHANNEL) {
    throw new BadRequestError('Moderation request channel must be specified to enable message reporting.');
  }
  return channelId;
}

function checkDescription({ reportType, description }: ReportMessageRequest): void {
  const limit = LIMITS.reportDescriptionLength;
  if (codePointLength(description) > limit) {
    throw new BadRequestError(`description is too long (limit: ${limit} characters)`);
  }
  // SPEC-GAP: the wording is not documented.
  if (reportType === 'other' && description === '') throw new BadRequestError(REFUSAL.messages.reportNeedsReason);
}

async function accessMessage(
  ctx: Context,
  { realmId, userId }: Caller,
  messageId: number,
  reader: Reader,
): Promise<MessageRow> {
  const [message] = await loadMessages(ctx.db, realmId, [messageId], userId);
  if (!message || !mayRead(message, reader)) throw new BadRequestError('Invalid message(s)');
  return message;
}

type Person = Pick<User, 'id' | 'fullName'>;

interface Report {
  reporter: Person;
  sender: Person;
  message: Pick<MessageRow, 'id' | 'channelId' | 'topic' | 'content'>;
  /** Of a channel message. */
  channelName: string;
  reportType: string;
  description: string;
}

/** One topic per reported sender. */
function reportTopic({ fullName }: Person): string {
  return truncate(`${fullName}’s moderation requests`, LIMITS.topicLength, '...');
}

/** The report for moderators: reporter, sender, reason, and the message as it was. */
function reportText({ reporter, sender, reportType, description, ...report }: Report): string {
  const lines = [
    `${silentMention(reporter)} reported ${messageOf(report)} sent by ${silentMention(sender)}.`,
    `- Reason: **${REPORT_TYPES[reportType as ReportType]}**`,
    ...(description === '' ? [] : ['', 'Notes:', quote(description)]),
    '',
    'The message:',
    quote(report.message.content),
  ];
  return lines.join('\n');
}

function messageOf({ message, channelName }: Pick<Report, 'message' | 'channelName'>): string {
  const { id, channelId, topic } = message;
  if (channelId === null) return 'a direct message';
  return `[a message](${messageHref({ id: channelId, name: channelName }, topic, String(id))})`;
}
