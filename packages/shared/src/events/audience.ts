/** A further condition on receivers: for messages that change channels, or with protected history. */
export interface Condition {
  channelId: number;
  /** Whether receivers must have been subscribed there at one of these versions, or at none of them. */
  versions: readonly number[];
  wereSubscribed: boolean;
}

/**
 * The receivers of an event, as a rule instead of a list: it costs the same for ten receivers and ten thousand. The lists in it
 * name the few exceptions; they are made in the announcing transaction, so that every pod selects alike.
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
      /** All conditions must be met, also by wide queues; not by `alsoIds`. */
      conditions?: readonly Condition[];
      /** Only users subscribed at all of these versions have the event's message; others get a version of the event for them. */
      receivedAt?: readonly { channelId: number; version: number }[];
      /**
       * Where that message is after the event: for users outside of this channel it counts as read. Absent: in the channel above.
       */
      place?: { channelId: number; version: number };
      /**
       * Subscribers of these channels at one of these versions have the event's message of a public channel: they get the event, still
       * subscribed or not, unless they are guests. Conditions apply to them, too.
       */
      heldAt?: readonly { channelId: number; versions: readonly number[] }[];
      /**
       * Users with a star, a reaction or another flag on a message of a public channel that they did not receive: treated as
       * `heldAt`.
       */
      holderIds?: readonly number[];
      /** Guests may read the channel as well. */
      isOpenToGuests?: boolean;
    }
  /** Every active user of the organization except `exceptIds`. */
  | { to: 'realm'; exceptIds?: readonly number[] };
