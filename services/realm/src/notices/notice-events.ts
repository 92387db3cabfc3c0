import type { Sql } from '@parley/shared/db';
import { type DomainEvent, type NoticeDestination, noticeAnnounced } from '@parley/shared/events';
import { listArchivedIds } from './archived-channels.sql';
import type { SystemBot } from './system-bots';
import { findSystemBotIds } from './system-bots.sql';

/** Receivers of one event: bounds the messages service's work for each event. */
const MAX_RECEIVERS_PER_EVENT = 200;

/** A message of a system bot about a change. */
export interface Notice {
  from: SystemBot;
  /** To users: a direct message for each of them. */
  to: NoticeDestination;
  /** Markdown; see notice-text.ts for names and quoted texts in it. */
  content: string;
  /** Users for whom the message starts as read: usually the one who made the change. */
  readByIds: readonly number[];
  /** A notice that the channel was archived: the only kind sent to archived channels. */
  isAboutArchiving?: boolean;
  /** Starred for the receiver of a direct message. */
  isStarred?: boolean;
  /** Neither mailed nor pushed to those who are away. */
  isQuiet?: boolean;
}

/** The notices as events, to be announced in the transaction; those to archived channels are dropped. */
export async function noticeEvents(sql: Sql, realmId: number, notices: readonly Notice[]): Promise<DomainEvent[]> {
  const due = await withoutArchived(sql, realmId, notices);
  if (due.length === 0) return [];
  const botIds = await findSystemBotIds(sql, realmId);
  return due.flatMap(({ from, to, content, readByIds, isStarred, isQuiet }) => {
    const senderId = botIds.get(from);
    if (senderId === undefined) throw new Error(`organization ${realmId} has no ${from}`);
    const notice = { senderId, content, readByIds, ...(isStarred && { isStarred }), ...(isQuiet && { isQuiet }) };
    return inPieces(to).map((piece) => noticeAnnounced(realmId, { ...notice, to: piece }));
  });
}

async function withoutArchived(sql: Sql, realmId: number, notices: readonly Notice[]): Promise<readonly Notice[]> {
  const channelIds = notices.flatMap((notice) => channelThatMustBeOpen(notice) ?? []);
  if (channelIds.length === 0) return notices;
  const archivedIds = new Set<unknown>(await listArchivedIds(sql, realmId, channelIds));
  return notices.filter((notice) => !archivedIds.has(channelThatMustBeOpen(notice)));
}

function channelThatMustBeOpen({ to, isAboutArchiving }: Notice): number | undefined {
  return 'channelId' in to && !isAboutArchiving ? to.channelId : undefined;
}

function inPieces(to: NoticeDestination): NoticeDestination[] {
  if ('channelId' in to) return [to];
  const count = Math.ceil(to.userIds.length / MAX_RECEIVERS_PER_EVENT);
  return Array.from({ length: count }, (_, index) => {
    const begin = index * MAX_RECEIVERS_PER_EVENT;
    return { userIds: to.userIds.slice(begin, begin + MAX_RECEIVERS_PER_EVENT) };
  });
}
