/** Longer than any queue id that was ever given out. */
export const MAX_QUEUE_ID_LENGTH = 200;
