import { operatorSettings } from '@parley/operator/config';
import { busSettings, databaseSettings, readConfig, settingsFromFiles } from '@parley/shared/service';
import { z } from 'zod';

const settings = {
  PORT: z.coerce.number().int().min(1).max(65_535).default(9991),
  BIND: z.string().default('127.0.0.1'),
  /** The operator's own servers; absent: embedded ones are started. */
  DATABASE_URL: databaseSettings.DATABASE_URL.optional(),
  ...busSettings,
  NATS_URL: busSettings.NATS_URL.optional(),
  /** Absent: those in DATA_DIR, generated at the first start. */
  BOT_KEY_SECRET: z.string().optional(),
  INVITATION_KEY_SECRET: z.string().optional(),
  /** The data directory; `npm start` itself uses no other of these settings. */
  ...operatorSettings,
  /** If set, the console shows the services' logs from this level on; otherwise warnings and errors. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
};

export interface Config extends ReturnType<typeof readConfig<typeof settings>> {
  /** The services' settings, which are passed on to them. */
  environment: NodeJS.ProcessEnv;
}

/** The only reader of the environment of `npm start`. Throws ConfigError. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const own = withoutFiles(environment);
  return { ...readConfig(settings, own), environment: own };
}

/** Settings in files are read here, once: services get some of them as values, and refuse a setting given twice. */
function withoutFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const values = settingsFromFiles(Object.keys(settings), environment);
  const files = Object.keys(values).map((name) => `${name}_FILE`);
  const others = Object.entries(environment).filter(([name]) => !files.includes(name));
  return { ...Object.fromEntries(others), ...values };
}
