import { mailSettings } from '@parley/shared/mail';
import {
  busSettings,
  databaseSettings,
  hostSettings,
  madeUpSecret,
  readConfig,
  serviceAddress,
  serviceSettings,
} from '@parley/shared/service';
import { z } from 'zod';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...busSettings,
  ...hostSettings,
  ...mailSettings,
  REALM_ADDRESS: serviceAddress,
  /**
   * Secret from which invitations' keys are derived, with a salt stored for each, so that keys can be shown again. The same on
   * every replica, permanently. After a change, and at each start if it was never set, an invitation gets one more key when its
   * key is shown.
   */
  INVITATION_KEY_SECRET: z.string().min(32, 'must have at least 32 characters').default(madeUpSecret),
  /** Default validity of invitations: ten days. */
  INVITATION_LINK_VALIDITY_MINUTES: z.coerce.number().int().min(1).max(52_560_000).default(14_400),
  /** Largest number of invitation mails of an organization in one day (UTC); absent: unlimited. */
  INVITATIONS_PER_DAY: z.coerce.number().int().min(1).optional(),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
