/** SPEC-GAP: the documents bound neither; all of them are answered at once. Each is a count of one user's. */
export const SCHEDULE_LIMITS = { scheduledMessages: 1_000, reminders: 1_000 } as const;
