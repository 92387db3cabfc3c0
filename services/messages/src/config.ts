import { outgoingAllow } from '@parley/shared/outside-http';
import { busSettings, databaseSettings, hostSettings, readConfig, serviceSettings } from '@parley/shared/service';
import { z } from 'zod';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...busSettings,
  REALM_ADDRESS: z.string().regex(/:\d+$/, 'must be host:port'),
  ...hostSettings,
  /** The total size of an organization's files; absent: no limit. The gateway has the same setting. */
  UPLOAD_QUOTA_MIB: z.coerce.number().int().min(1).optional(),
  /** The total size of one account's files. */
  ACCOUNT_UPLOAD_QUOTA_MIB: z.coerce
    .number()
    .int()
    .min(1)
    .default(5 * 1024),
  /** The proxy for pictures of other sites, and the key that signs its addresses; absent: no such pictures. */
  IMAGE_PROXY_URL: z.url().optional(),
  IMAGE_PROXY_KEY: z.string().min(1).optional(),
  /** Hosts and networks that links may be followed to although they are not of the public internet. */
  OUTGOING_ALLOW: outgoingAllow,
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
