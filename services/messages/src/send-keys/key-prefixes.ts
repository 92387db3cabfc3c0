/** The prefix of keys of the scheduler's jobs: clients cannot make such keys, and they are kept as long as those of notices. */
export const JOB_KEY_PREFIX = 'job:';

/** The prefix of keys of notices: clients cannot make such keys, and they are kept longer. */
export const NOTICE_KEY_PREFIX = 'notice:';

/** The identity of a notice that may be sent again: the event that announced it, and its index. */
export function noticeKey(eventId: string, part: string): string {
  return `${NOTICE_KEY_PREFIX}${eventId}:${part}`;
}
