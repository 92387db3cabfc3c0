/** A condition on receivers beside the rule: for messages that change channels, or whose history is protected. */
export interface Condition {
  channelId: number;
  /** Were they subscribed there at one of these versions, or at none of them? */
  versions: readonly number[];
  wereSubscribed: boolean;
}

/**
 * The receivers of an event, as a rule rather than a list: it costs the same for ten receivers and ten thousand. The lists that go along
 * name the few whom the rule misses; they are made in the transaction that announces, so that every pod decides alike.
 */
export type Audience =
  | { to: 'users'; userIds: readonly number[] }
  /**
   * Subscribers of the channel at that version, and `alsoIds`, but not `exceptIds`; `isPublic` channels are also
   * heard by wide queues.
   */
  | {
      to: 'subscribers';
      channelId: number;
      version: number;
      isPublic: boolean;
      alsoIds?: readonly number[];
      exceptIds?: readonly number[];
      /** All of them are to be met, also by wide queues; not by `alsoIds`. */
      conditions?: readonly Condition[];
      /** Only users subscribed at all of these versions have the message of the event; the others get an event about what they may see. */
      receivedAt?: readonly { channelId: number; version: number }[];
      /** Where that message is once the event has happened: users outside of this channel have read it. Absent: in the channel above. */
      place?: { channelId: number; version: number };
      /**
       * Subscribers of these channels at one of these versions have the event's message of a public channel: they get the event, still
       * subscribed or not, unless they are guests. Conditions apply to them, too.
       */
      heldAt?: readonly { channelId: number; versions: readonly number[] }[];
      /** Users with a star, a reaction or the like on a message of a public channel that they did not receive: treated as `heldAt`. */
      holderIds?: readonly number[];
      /** Guests may read the channel as well. */
      isOpenToGuests?: boolean;
    }
  /** Every active user of the organization but `exceptIds`. */
  | { to: 'realm'; exceptIds?: readonly number[] };
