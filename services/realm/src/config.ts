import { mailSettings } from '@parley/shared/mail';
import {
  brandSettings,
  busSettings,
  databaseSettings,
  hostSettings,
  madeUpSecret,
  readConfig,
  serviceSettings,
} from '@parley/shared/service';
import { z } from 'zod';

const botName = z.string().trim().min(2).max(100);

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...busSettings,
  ...brandSettings,
  ...hostSettings,
  ...mailSettings,
  /** What the service's own bots are called in every organization, and the domain of their addresses: `notification-bot@…`. */
  NOTIFICATION_BOT_NAME: botName.default('Notification Bot'),
  WELCOME_BOT_NAME: botName.default('Welcome Bot'),
  // Nobody has an address there: the top-level domain is reserved for names that lead nowhere.
  SYSTEM_BOT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, 'must be a domain name in lower case')
    .default('system.invalid'),
  /**
   * What the API keys of bots are made of, together with what is stored of each: with it a key can be shown again. The same for
   * every replica, and for ever; after a change, and at each start where there was never one, a bot
   * gets one key more when its key is asked for.
   */
  BOT_KEY_SECRET: z.string().min(32, 'must have at least 32 characters').default(madeUpSecret),
  /** How long an organization's audit log stays after everything else of it was deleted. */
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(365),
  /** Whether channels can be opened to visitors without an account, where the organization admits any. */
  WEB_PUBLIC_STREAMS_ENABLED: z.stringbool().default(false),
  /** Whether anybody may sign in as anybody here: for development servers only. The gateway has the same setting. */
  DEV_LOGIN: z.stringbool().default(false),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
