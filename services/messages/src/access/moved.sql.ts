// A message has a moved version while it is in another channel than it was sent to. Both conditions below are true for exactly these messages.
// - Not `channel_id <> sent_channel_id`: PostgreSQL takes two columns to be unequal nearly always. Expecting moved messages everywhere, it reads the
//   whole table to find one. Of a single column it knows how often it is null.
// - Not the same condition for both indexes: while it expects no moved messages at all, PostgreSQL takes either index for as good as the other, and may
//   read all moved messages of the organization instead of those of a channel. Neither condition implies the other, so each has one index.

/** SQL: whether a message was moved, for finding it by the channel that it is in (the index `message_moved_to`). */
export const isMovedTo = (message: string): string => `${message}.moved_version >= 0`;

/** The same by the channel that it was sent to (the index `message_moved_from`). */
export const isMovedFrom = (message: string): string => `${message}.moved_version < ${2n ** 63n - 1n}`;
