import { messageHref } from '@parley/shared/markdown';
import { quote, silentMention } from '@parley/shared/notice-text';
import type { User } from '@parley/shared/proto';
import { LIMITS, REPORT_TYPES, type ReportType, truncate } from '@parley/shared/values';
import type { MessageRow } from '../messages/message.sql';

type Person = Pick<User, 'id' | 'fullName'>;

export interface Report {
  reporter: Person;
  sender: Person;
  message: Pick<MessageRow, 'id' | 'channelId' | 'topic' | 'content'>;
  /** Of a channel message. */
  channelName: string;
  reportType: string;
  description: string;
}

/** One topic for all that is reported of a sender. */
export function reportTopic({ fullName }: Person): string {
  return truncate(`${fullName}’s moderation requests`, LIMITS.topicLength, '...');
}

/** What the moderators read: who complains of whom, why, and the message as it was when it was reported. */
export function reportText({ reporter, sender, reportType, description, ...report }: Report): string {
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
