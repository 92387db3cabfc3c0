import { operatorSettings } from '@parley/operator/config';
import { busSettings, databaseSettings, readConfig, settingsFromFiles } from '@parley/shared/service';
import { z } from 'zod';

const settings = {
  PORT: z.coerce.number().int().min(1).max(65_535).default(9991),
  BIND: z.string().default('127.0.0.1'),
  /** Servers of the operator's own; absent: embedded ones are started. */
  DATABASE_URL: databaseSettings.DATABASE_URL.optional(),
  ...busSettings,
  NATS_URL: busSettings.NATS_URL.optional(),
  /** Absent: DATA_DIR keeps those that were made at the first start. */
  BOT_KEY_SECRET: z.string().optional(),
  INVITATION_KEY_SECRET: z.string().optional(),
  /** Where the data is; `npm start` itself uses no other of these. */
  ...operatorSettings,
  /** When set, the console shows what the services log from this level on; else warnings and errors. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
};

export interface Config extends ReturnType<typeof readConfig<typeof settings>> {
  /** Handed on to the services: every setting that is theirs. */
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
