/** Limits that more than one service enforces or announces (POST /register). Lengths are in Unicode code points. */
export const LIMITS = {
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  channelFolderNameLength: 60,
  channelFolderDescriptionLength: 1024,
  groupNameLength: 100,
  fullNameLength: 100,
  realmNameLength: 40,
  realmDescriptionLength: 1_000,
  reminderNoteLength: 1_000,
  savedSnippetTitleLength: 60,
  reportDescriptionLength: 1_000,
  /** Length of an idempotency key. */
  requestKeyLength: 200,
  messagesPerFetch: 5_000,
  /** Above this number, new subscribers get no direct message about it. */
  maxNotifiedSubscribers: 100,
} as const;

export const TYPING = { startedExpiryMs: 45_000, stoppedWaitMs: 12_000, startedWaitMs: 30_000 } as const;

/** No typing events in channels with more subscribers. */
export const MAX_TYPING_AUDIENCE = 100;

/** Seconds after which a client should give up a poll: above the longest heartbeat pause (55 s). */
export const LONGPOLL_TIMEOUT_SECS = 90;

/** Maximum number of days between an organization's deactivation and the deletion of its data; null: no limit. */
export const DATA_DELETION_DAYS: { readonly min: number; readonly max: number | null } = { min: 14, max: null };

/** Limits of uploaded files, in MiB. */
export const UPLOAD_LIMITS_MIB = { avatar: 5, icon: 5, logo: 5, file: 100 } as const;

export const PRESENCE = {
  /** The interval of clients' presence reports, and the time without a report after which a user counts as offline. */
  pingIntervalSecs: 60,
  offlineThresholdSecs: 200,
  /** A report within this time after the stored one changes nothing. */
  updateDistanceSecs: 55,
  /** In larger organizations there are no presence events: clients poll. */
  maxAnnouncedUsers: 100,
  /** Users who were last seen earlier are omitted, unless a client requests more. */
  historyDays: 14,
  /** COMPAT(level 419): older clients consider a user active for this time after the last report. */
  legacyActiveSecs: 70,
} as const;
