import { busSettings, databaseSettings, readConfig, serviceSettings } from '@parley/shared/service';

const settings = { ...serviceSettings, ...databaseSettings, ...busSettings };

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
