/**
 * Who gets an event, as a rule rather than a list: it costs the same for ten receivers and ten thousand. The lists that go along
 * name the few whom the rule misses; they are made in the transaction that announces, so that every pod decides alike.
 */
export type Audience =
  | { to: 'users'; userIds: readonly number[] }
  /**
   * Whoever was subscribed to the channel at that version, and `alsoIds`, but not `exceptIds`; `isPublic` channels are also
   * heard by wide queues.
   */
  | {
      to: 'subscribers';
      channelId: number;
      version: number;
      isPublic: boolean;
      alsoIds?: readonly number[];
      exceptIds?: readonly number[];
    }
  /** Every active user of the organization but `exceptIds`. */
  | { to: 'realm'; exceptIds?: readonly number[] };
