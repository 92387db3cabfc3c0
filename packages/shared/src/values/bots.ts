/** The types of bots, as the API numbers them. */
export const BOT_TYPES = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** Formats of the calls of outgoing webhook bots: generic, Slack-compatible. */
export const WEBHOOK_INTERFACES: readonly number[] = [1, 2];

const NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/i;

/** `.invalid` is reserved for names that do not exist: no mail ever arrives. */
const FAKE_DOMAIN = 'bots.invalid';

/** The domain of bots' addresses: the organization's host, unless that cannot be a mail domain (has a port, is a number). */
export function botDomain(subdomain: string, externalHost: string): string {
  const host = subdomain === '' ? externalHost : `${subdomain}.${externalHost}`;
  return NAME.test(host) ? host : FAKE_DOMAIN;
}
