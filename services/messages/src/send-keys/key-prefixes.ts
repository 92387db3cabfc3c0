/** With what the keys of the scheduler's jobs begin: clients cannot make such keys, and these are kept for as long as those of notices. */
export const JOB_KEY_PREFIX = 'job:';

/** With what the keys of notices begin: clients cannot make such keys, and these are kept for longer. */
export const NOTICE_KEY_PREFIX = 'notice:';

/** By what a notice is recognized that is to be sent again: the event that announced it, and which of its messages it is. */
export function noticeKey(eventId: string, part: string): string {
  return `${NOTICE_KEY_PREFIX}${eventId}:${part}`;
}
