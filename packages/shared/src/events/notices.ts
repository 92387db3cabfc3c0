import { declareEvent } from './declare-event';

/** The destination of a notice. Users get a direct message each; those deactivated meanwhile get none. */
export type NoticeDestination = { channelId: number; topic: string } | { userIds: readonly number[] };

export interface NoticeAnnounced {
  /** A system bot of the organization. */
  senderId: number;
  to: NoticeDestination;
  /** Markdown. */
  content: string;
  /** Users for whom the message starts as read. */
  readByIds: readonly number[];
  /** Receivers of it as a direct message have it starred. */
  isStarred?: boolean;
  /** See MessageSent. */
  isQuiet?: boolean;
}

/** A request to send a system bot's notice about a change; the messages service sends it once. */
export const noticeAnnounced = declareEvent<NoticeAnnounced>()('notice.announced', []);
