import { mailSettings } from '@parley/shared/mail';
import { mailInSettings } from '@parley/shared/mail-in';
import { outgoingAllow } from '@parley/shared/outside-http';
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
  ...mailInSettings,
  /** Names of the system bots in every organization, and the domain of their addresses: `notification-bot@…`. */
  NOTIFICATION_BOT_NAME: botName.default('Notification Bot'),
  WELCOME_BOT_NAME: botName.default('Welcome Bot'),
  // A reserved top-level domain, so the addresses exist nowhere.
  SYSTEM_BOT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, 'must be a domain name in lower case')
    .default('system.invalid'),
  /**
   * Secret from which bots' API keys are derived, with a salt stored for each, so that keys can be shown again. The same on every
   * replica, permanently. After a change, and at each start if it was never set, a bot gets one more key when its key is shown.
   */
  BOT_KEY_SECRET: z.string().min(32, 'must have at least 32 characters').default(madeUpSecret),
  /** Retention of an organization's audit log after its other data was deleted. */
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(365),
  /** Whether channels can be opened to visitors without an account, in organizations that admit visitors. */
  WEB_PUBLIC_STREAMS_ENABLED: z.stringbool().default(false),
  /** Addresses outside the public internet that sign-in providers may have. */
  OUTGOING_ALLOW: outgoingAllow,
  /** Days after which a browser has to sign in again. */
  SESSION_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  /** Sign-in without a password, for development servers only. The gateway has the same setting. */
  DEV_LOGIN: z.stringbool().default(false),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
