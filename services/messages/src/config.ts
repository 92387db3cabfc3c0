import { outgoingAllow } from '@parley/shared/outside-http';
import {
  busSettings,
  databaseSettings,
  hostSettings,
  readConfig,
  serviceAddress,
  serviceSettings,
} from '@parley/shared/service';
import { z } from 'zod';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...busSettings,
  REALM_ADDRESS: serviceAddress,
  ...hostSettings,
  /** Maximum size of an organization's files; absent: no limit. The gateway has the same setting. */
  UPLOAD_QUOTA_MIB: z.coerce.number().int().min(1).optional(),
  /** Maximum size of one account's files. */
  ACCOUNT_UPLOAD_QUOTA_MIB: z.coerce
    .number()
    .int()
    .min(1)
    .default(5 * 1024),
  /** The proxy for images of other sites, and the key that signs its addresses; absent: no such images. */
  IMAGE_PROXY_URL: z.url({ protocol: /^https?$/ }).optional(),
  IMAGE_PROXY_KEY: z.string().min(1).optional(),
  /** Hosts and networks outside the public internet to which links may lead. */
  OUTGOING_ALLOW: outgoingAllow,
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
