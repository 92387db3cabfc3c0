import { outgoingAllow } from '@parley/shared/outside-http';
import { busSettings, databaseSettings, hostSettings, readConfig, serviceSettings } from '@parley/shared/service';
import { z } from 'zod';

const address = z.string().regex(/^\S+:\d+$/, 'must be host:port');

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...busSettings,
  ...hostSettings,
  REALM_ADDRESS: address,
  MESSAGES_ADDRESS: address,
  INVITES_ADDRESS: address,
  /**
   * A scheduled message that could not be sent for so long after its time, because services were away, is not sent any more: its
   * author is told. Reminders are sent however late.
   */
  SCHEDULED_MESSAGE_MAX_LATENESS_SECS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24 * 3600),
  /** So many scheduled messages, and so many reminders, are sent at once by this process: it leaves others their share of the service. */
  SCHEDULED_SENDS_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(16),
  /** How often messages, invitations and closed organizations that are kept no longer are deleted. */
  RETENTION_INTERVAL_MINUTES: z.coerce.number().int().min(1).max(10_080).default(60),
  /** What bots may be called at although it is not of the public internet. */
  OUTGOING_ALLOW: outgoingAllow,
  /** A bot has answered within this time, or not at all. */
  OUTGOING_WEBHOOK_TIMEOUT_SECS: z.coerce.number().int().min(1).max(60).default(10),
  /** So many calls of bots are under way at once in this process, of one bot's no more than four in all. */
  OUTGOING_WEBHOOKS_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(64),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
