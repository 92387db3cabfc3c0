/** With what the keys of the scheduler's jobs begin: clients cannot make such keys, and these are kept for as long as those of notices. */
export const JOB_KEY_PREFIX = 'job:';
