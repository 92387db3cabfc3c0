import { busSettings, readConfig, serviceAddress, serviceSettings } from '@parley/shared/service';
import { z } from 'zod';

const MIB = 1024 ** 2;

export const settings = {
  ...serviceSettings,
  ...busSettings,
  REALM_ADDRESS: serviceAddress,
  MESSAGES_ADDRESS: serviceAddress,
  /** Size of the log's window in memory; queues with an older cursor are refused. */
  LOG_WINDOW_BYTES: z.coerce
    .number()
    .int()
    .min(MIB)
    .default(256 * MIB),
  /** The longest pause between two answers to a client on a busy pod, in milliseconds; 0: none. */
  DELIVERY_PAUSE_MS: z.coerce.number().int().min(0).max(1_000).default(50),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
