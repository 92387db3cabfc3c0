/** Prefix of keys of the scheduler's jobs. Clients cannot create such keys; they are kept as long as those of notices. */
export const JOB_KEY_PREFIX = 'job:';

/** Prefix of keys of notices. Clients cannot create such keys; they are kept longer. */
export const NOTICE_KEY_PREFIX = 'notice:';

/** The identity of a notice, for repeated sends: its event, and its index there. */
export function noticeKey(eventId: string, part: string): string {
  return `${NOTICE_KEY_PREFIX}${eventId}:${part}`;
}
