// A message that is in another channel than it was sent to has the version at which it was moved there. Of each of the two conditions, which are always
// true for such messages, PostgreSQL knows how many rows meet it; of the columns of two channels it would think that they are nearly always unequal, and
// read all messages to find a moved one. Neither implies the other: while it takes nothing to be moved, it would use one index like the other, and read
// all moved messages of the organization.

/** SQL: whether a message was moved, for finding it by the channel that it is in (the index `message_moved_to`). */
export const isMovedTo = (message: string): string => `${message}.moved_version >= 0`;

/** The same by the channel that it was sent to (the index `message_moved_from`). */
export const isMovedFrom = (message: string): string => `${message}.moved_version < ${2n ** 63n - 1n}`;
