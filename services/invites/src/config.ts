import { mailSettings } from '@parley/shared/mail';
import {
  busSettings,
  databaseSettings,
  hostSettings,
  madeUpSecret,
  readConfig,
  serviceSettings,
} from '@parley/shared/service';
import { z } from 'zod';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...busSettings,
  ...hostSettings,
  ...mailSettings,
  REALM_ADDRESS: z.string().regex(/:\d+$/, 'must be host:port'),
  /**
   * What the keys of invitations are made of, together with what is stored of each: with it a key can be shown again. The same for
   * every replica, and for ever; after a change, and at each start where there was never one, an invitation
   * gets one key more when its key is asked for.
   */
  INVITATION_KEY_SECRET: z.string().min(32, 'must have at least 32 characters').default(madeUpSecret),
  /** For how long invitations are valid whose sender does not say: ten days. */
  INVITATION_LINK_VALIDITY_MINUTES: z.coerce.number().int().min(1).max(52_560_000).default(14_400),
  /** How many mails with invitations an organization may send on one day of UTC; absent: there is no bound. */
  INVITATIONS_PER_DAY: z.coerce.number().int().min(1).optional(),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
