/** What a bot is for, as the API numbers it. */
export const BOT_TYPES = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** Formats of the calls that outgoing webhook bots get: generic, Slack-compatible. */
export const WEBHOOK_INTERFACES: readonly number[] = [1, 2];
