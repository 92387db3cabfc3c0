/** Bounds that more than one service enforces or announces (POST /register). Lengths are in Unicode code points. */
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
  messagesPerFetch: 5_000,
} as const;

export const TYPING = { startedExpiryMs: 45_000, stoppedWaitMs: 12_000, startedWaitMs: 30_000 } as const;

/** Seconds a client should let a poll hang: above the longest heartbeat pause (55 s). */
export const LONGPOLL_TIMEOUT_SECS = 90;
