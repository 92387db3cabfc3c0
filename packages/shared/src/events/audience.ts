/** Who gets an event, as a rule rather than a list: it costs the same for ten receivers and ten thousand. */
export type Audience =
  | { to: 'users'; userIds: readonly number[] }
  /** Whoever was subscribed to the channel at that version; `isPublic` channels are also heard by wide queues. */
  | { to: 'subscribers'; channelId: number; version: number; isPublic: boolean }
  /** Every active user of the organization. */
  | { to: 'realm' };
