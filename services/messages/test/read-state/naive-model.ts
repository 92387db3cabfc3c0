import { channelOf, isSubscribed, memberSince, USER_IDS, type World, wasSubscribed } from './world';

/** One row for each user and message: simple, but too large to store in practice. */
interface Row {
  mark: 'none' | 'read' | 'unread';
  isStarred: boolean;
  isCollapsed: boolean;
  isReceived: boolean;
  isOwn: boolean;
}

export interface ModelMessage {
  id: number;
  senderId: number;
  /** Null: direct. */
  channelId: number | null;
  sentChannelId: number | null;
  sentVersion: number;
  /** The version at which it came to a channel that it was not sent to. */
  movedVersion: number | null;
  /** Topic in lower case, or participants. */
  place: string;
  participantIds: number[];
  mentionedIds: number[];
  isWildcard: boolean;
  isReadBySender: boolean;
  rows: Map<number, Row>;
}

type Predicate = (message: ModelMessage) => boolean;

/** The read state of all users, one row per message and user. */
export class NaiveModel {
  readonly messages: ModelMessage[] = [];
  readonly policies = new Map<string, number>();

  constructor(private readonly world: World) {}

  send(message: Omit<ModelMessage, 'rows'>): void {
    const rows = new Map(
      USER_IDS.map((userId): [number, Row] => {
        const isReceived =
          message.channelId === null
            ? message.participantIds.includes(userId)
            : isSubscribed(this.world, userId, message.channelId);
        return [userId, { mark: 'none', isStarred: false, isCollapsed: false, isReceived, isOwn: isReceived }];
      }),
    );
    this.messages.push({ ...message, rows });
  }

  rowOf(message: ModelMessage, userId: number): Row {
    return message.rows.get(userId) as Row;
  }

  isRead(message: ModelMessage, userId: number): boolean {
    const { channelId, senderId, isReadBySender } = message;
    if (this.hasMuted(userId, senderId)) return true;
    if (channelId !== null && !this.isIn(channelId, userId)) return true;
    const { mark } = this.rowOf(message, userId);
    if (mark !== 'none') return mark === 'read';
    return (senderId === userId && isReadBySender) || !this.keepsReceiving(message, userId);
  }

  unreadOf(userId: number): ModelMessage[] {
    return this.messages.filter((message) => !this.isRead(message, userId)).sort((a, b) => a.id - b.id);
  }

  /** Marks messages as read, if any is unread. */
  markRead(userId: number, isMeant: Predicate): void {
    const meant = this.messages.filter(isMeant);
    if (meant.every((message) => this.isRead(message, userId))) return;
    for (const message of meant) this.rowOf(message, userId).mark = 'read';
  }

  /**
   * Marks the unread messages of a channel or conversation as read, from one id to another; returns their number. If nothing
   * older is unread, everything up to the end is marked, for channels and everything by a watermark.
   */
  markRange(userId: number, isMeant: Predicate, [firstId, lastId]: [number, number], isTopic: boolean): number {
    const upToLast = this.unreadOf(userId).filter((message) => isMeant(message) && message.id <= lastId);
    const unread = upToLast.filter(({ id }) => id >= firstId);
    if (unread.length === 0) return 0;
    const isUpToLast = !isTopic && upToLast.length === unread.length;
    const isInSamePlace = (message: ModelMessage) =>
      message.id >= firstId &&
      unread.some(({ channelId, place }) => channelId === message.channelId && place === message.place);
    for (const message of this.messages) {
      const isMarked = isMeant(message) && message.id <= lastId && (isUpToLast || isInSamePlace(message));
      if (isMarked) this.rowOf(message, userId).mark = 'read';
    }
    return unread.length;
  }

  /** Watermarks move even if nothing is unread. */
  markAllRead(userId: number): void {
    for (const message of this.messages) this.rowOf(message, userId).mark = 'read';
  }

  /** Its messages are read for everybody, also after it is restored. */
  archive(channelId: number): void {
    for (const message of this.messages.filter((other) => other.channelId === channelId))
      for (const userId of USER_IDS) {
        const row = this.rowOf(message, userId);
        if (row.mark === 'unread' || isSubscribed(this.world, userId, channelId)) row.mark = 'read';
      }
  }

  leave(userId: number, channelId: number): void {
    for (const message of this.messages) {
      const row = this.rowOf(message, userId);
      if (message.channelId === channelId && row.mark === 'unread') row.mark = 'read';
    }
  }

  /** Earlier messages stay read. */
  unmute(userId: number, senderId: number): void {
    const unread = this.unreadOf(userId).filter((message) => message.senderId === senderId);
    for (const message of unread) this.rowOf(message, userId).mark = 'read';
  }

  /** Refused as a whole if the user may not read one of the messages. */
  changeFlag(
    userId: number,
    messages: ModelMessage[],
    op: 'add' | 'remove',
    flag: 'read' | 'starred' | 'collapsed',
  ): void {
    const isUnreading = flag === 'read' && op === 'remove';
    const mayGain = isUnreading || (flag !== 'read' && op === 'add');
    const meant = messages.filter(
      ({ channelId }) => !isUnreading || channelId === null || this.isIn(channelId, userId),
    );
    const isForUser = (message: ModelMessage) => message.channelId !== null || this.rowOf(message, userId).isReceived;
    if (mayGain && !meant.every(isForUser)) return;
    for (const message of meant) this.changeOne(message, userId, op, flag, mayGain);
  }

  private changeOne(message: ModelMessage, userId: number, op: string, flag: string, mayGain: boolean): void {
    const row = this.rowOf(message, userId);
    if (!row.isOwn && !mayGain) return;
    if (flag === 'read') {
      if (this.isRead(message, userId) === (op === 'add')) return;
      if (op === 'remove' && this.hasMuted(userId, message.senderId)) return;
      row.mark = op === 'add' ? 'read' : 'unread';
    } else if (flag === 'starred') row.isStarred = op === 'add';
    else row.isCollapsed = op === 'add';
    row.isOwn = true;
  }

  flagsOf(message: ModelMessage, userId: number): string[] {
    const { isReceived, isStarred, isCollapsed } = this.rowOf(message, userId);
    const isForUser = this.isForUser(message, userId);
    const flags: [string, boolean][] = [
      ['read', this.isRead(message, userId)],
      ['starred', isStarred],
      ['collapsed', isCollapsed],
      ['mentioned', isForUser && message.mentionedIds.includes(userId)],
      ['stream_wildcard_mentioned', isForUser && message.isWildcard],
      ['wildcard_mentioned', isForUser && message.isWildcard],
      ['historical', !isReceived],
    ];
    return flags.flatMap(([flag, isSet]) => (isSet ? [flag] : []));
  }

  /** Received, and not moved since to a channel without a subscription of the user. */
  isForUser(message: ModelMessage, userId: number): boolean {
    const { channelId, sentChannelId, movedVersion } = message;
    if (!this.rowOf(message, userId).isReceived) return false;
    return (
      channelId === sentChannelId || wasSubscribed(this.world, userId, channelId as number, movedVersion as number)
    );
  }

  isMuted({ channelId, place }: ModelMessage, userId: number): boolean {
    if (channelId === null) return false;
    const policy = this.policies.get(`${userId} ${channelId} ${place}`) ?? 0;
    return policy === 0 ? channelOf(this.world, channelId).mutedByIds.has(userId) : policy === 1;
  }

  private hasMuted(userId: number, otherId: number): boolean {
    return this.world.mutedUserIds.get(userId)?.has(otherId) === true;
  }

  private isIn(channelId: number, userId: number): boolean {
    return isSubscribed(this.world, userId, channelId) && !channelOf(this.world, channelId).isArchived;
  }

  /** All subscriptions that it was received through still last. */
  private keepsReceiving(message: ModelMessage, userId: number): boolean {
    const { channelId, sentChannelId, sentVersion, movedVersion } = message;
    if (channelId === null || sentChannelId === null) return this.rowOf(message, userId).isReceived;
    if (sentVersion < memberSince(this.world, userId, sentChannelId)) return false;
    return channelId === sentChannelId || (movedVersion as number) >= memberSince(this.world, userId, channelId);
  }
}
