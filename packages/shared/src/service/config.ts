import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import type { NatsAccess } from '../bus/connect-nats';
import { parseNatsUrl } from '../bus/nats-url';
import { ConfigError } from '../errors';
import { tracingSettings } from '../observability';
import type { TlsFiles } from '../rpc';

/** Files with which services prove to one another who they are, all of them or none. */
export const tlsSettings = {
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TLS_CA_FILE: z.string().optional(),
};

/** For serve() and connectRpc(). Undefined: services trust the network. Throws ConfigError. */
export function tlsFilesOf(config: SettingsOf<typeof tlsSettings>): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile } = config;
  if (certFile !== undefined && keyFile !== undefined && caFile !== undefined) return { certFile, keyFile, caFile };
  if (certFile === undefined && keyFile === undefined && caFile === undefined) return undefined;
  throw new ConfigError('TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE must be set together');
}

const hostAndPort = z.string().regex(/:\d+$/, 'must be host:port');

/** Settings that every service has, under the same names in `npm start`, compose and Kubernetes. */
export const serviceSettings = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Where this process serves gRPC; port 0 takes a free one. */
  LISTEN: hostAndPort.default('127.0.0.1:0'),
  ...tlsSettings,
  /** Serves health without TLS, for probes; absent: health is served only at LISTEN. */
  HEALTH_LISTEN: hostAndPort.optional(),
  /** Where Prometheus asks this process; absent: nowhere. */
  METRICS_LISTEN: hostAndPort.optional(),
  ...tracingSettings,
};

/** For services that tell clients of something whose name carries a brand: the prefixes, each of which is used. */
export const brandSettings = {
  API_BRANDS: z
    .string()
    .regex(/^[a-z]+(,[a-z]+)*$/, 'must be lower-case words separated by commas')
    .default('service')
    .transform((list) => list.split(',')),
};

/** For services that make links to organizations, or find organizations by them. */
export const hostSettings = {
  /** The name under which clients reach the root organization; the others are `<subdomain>.<EXTERNAL_HOST>`. */
  EXTERNAL_HOST: z
    .string()
    .refine((host) => !host.includes('/'), {
      message:
        'must be a host name alone: neither https:// nor a path, since Parley is served at the root of a name of its own',
      abort: true,
    })
    .regex(/^[A-Za-z0-9.-]+(:\d+)?$/, 'must be a host name, with or without a port')
    .default('127.0.0.1:9991'),
};

const postgresAddress = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address');

/** For services with a database: a PostgreSQL server, and the prefix of the databases' names on it. */
export const databaseSettings = {
  DATABASE_URL: postgresAddress,
  DATABASE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and _')
    .default('parley'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  /** Whether a start migrates the database; else it waits until the migration job has. */
  MIGRATE_ON_START: z.stringbool().default(true),
  /** The same server as a user who may change the schema; absent: DATABASE_URL's user may. */
  MIGRATION_DATABASE_URL: postgresAddress.optional(),
};

const migrationSettings = {
  LOG_LEVEL: serviceSettings.LOG_LEVEL,
  DATABASE_URL: databaseSettings.DATABASE_URL,
  DATABASE_PREFIX: databaseSettings.DATABASE_PREFIX,
  MIGRATION_DATABASE_URL: databaseSettings.MIGRATION_DATABASE_URL,
};

/** For a process that does nothing but migrate: it needs no more than this of its service's settings. Throws ConfigError. */
export function loadMigrationConfig(environment: NodeJS.ProcessEnv = process.env) {
  return readConfig(migrationSettings, environment);
}

export const busSettings = {
  NATS_URL: z.string().superRefine((url, { addIssue }) => {
    try {
      parseNatsUrl(url);
    } catch (error) {
      addIssue({ code: 'custom', message: (error as Error).message });
    }
  }),
  /** Prefix of the broker's stream and bucket names, so that several deployments can share a broker. */
  NATS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_]*$/, 'must be letters, digits and _')
    .default(''),
  /** The copies of the log and the queues on the broker's servers; absent: three, if there are as many servers. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).optional(),
  /** Files of this process for NATS: the authority it believes, the certificate that it shows, who it is. */
  NATS_CA_FILE: z.string().optional(),
  NATS_CERT_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
  NATS_CREDS_FILE: z.string().optional(),
  NATS_NKEY_FILE: z.string().optional(),
};

/** The settings that such a declaration parses to. */
export type SettingsOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

type BusConfig = SettingsOf<typeof busSettings>;

/** The address of NATS and a process's credentials, for tryNats(). Throws ConfigError. */
export function natsAccessOf(config: Omit<BusConfig, 'NATS_PREFIX' | 'NATS_REPLICAS'>): NatsAccess {
  const { NATS_URL: url, NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = config;
  const { NATS_CREDS_FILE: credsFile, NATS_NKEY_FILE: nkeyFile } = config;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new ConfigError('NATS_CERT_FILE and NATS_KEY_FILE must be set together');
  const { user, token } = parseNatsUrl(url);
  if ([user ?? token, credsFile, nkeyFile].filter((identity) => identity !== undefined).length > 1)
    throw new ConfigError('a user in NATS_URL, NATS_CREDS_FILE and NATS_NKEY_FILE exclude one another');
  return { url, caFile, certFile, keyFile, credsFile, nkeyFile };
}

/** The settings as options of connectBus(). Throws ConfigError. */
export function busOptionsOf(config: BusConfig): NatsAccess & { prefix: string; replicas: number | undefined } {
  return { ...natsAccessOf(config), prefix: config.NATS_PREFIX, replicas: config.NATS_REPLICAS };
}

/**
 * Parses a service's settings from the environment; called by its config.ts only. A setting that may contain a secret may also be a file,
 * named by the setting with `_FILE` at its end. Throws ConfigError.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: NodeJS.ProcessEnv,
): SettingsOf<Shape> {
  const { config, faults } = parseSettings(shape, environment);
  if (faults.length > 0) throw new ConfigError(faults.map(({ line }) => line).join('\n'));
  return config as SettingsOf<Shape>;
}

/** A fault of a setting, in one line that names it and shows no secret. */
export interface SettingFault {
  line: string;
  /** The setting must be set and is not. */
  isMissing: boolean;
}

/** The faults that would keep a service with this declaration from starting. For checks of settings before a start. */
export function findSettingFaults(shape: z.ZodRawShape, environment: NodeJS.ProcessEnv): SettingFault[] {
  const { config, faults } = parseSettings(shape, environment);
  const together = [tlsFilesOf, ...(config['NATS_URL'] === undefined ? [] : [natsAccessOf])];
  for (const check of together) {
    try {
      check(config as Parameters<typeof natsAccessOf>[0]);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push({ line: error.message, isMissing: false });
    }
  }
  return faults;
}

/** Settings are checked one by one, so that one error hides no other. */
function parseSettings(shape: z.ZodRawShape, environment: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const config: Record<string, unknown> = {};
  const faults: SettingFault[] = [];
  for (const [name, schema] of Object.entries(shape)) {
    try {
      const value = settingValue(name, given);
      const parsed = z.safeParse(schema, value);
      if (!parsed.success) faults.push(...parsed.error.issues.map(({ message }) => faultOf(name, value, message)));
      else if (parsed.data !== undefined) config[name] = parsed.data;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push({ line: error.message, isMissing: false });
    }
  }
  return { config, faults };
}

function faultOf(name: string, value: string | undefined, message: string): SettingFault {
  if (value === undefined) return { line: `${name} must be set`, isMissing: true };
  // Addresses may hold a password; secrets are one.
  const shown = SECRET_NAME.test(name) ? '' : ` (it is "${value}")`;
  return { line: `${name} ${message}${shown}`, isMissing: false };
}

/** Of settings that hold a secret: a password in an address, a key. */
export const SECRET_NAME = /_(URL|SECRET|KEY|KEY_ID)$/;

const MAX_BYTES = 64 * 1024;

/**
 * A setting's value, which may lie in a file, as secrets are mounted: `DATABASE_URL_FILE=/run/secrets/database-url` stands for
 * `DATABASE_URL`. Every setting that may hold a secret can be given so. Read once; a line's end at its end is no part of it. Throws
 * ConfigError.
 */
export function settingValue(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const file = SECRET_NAME.test(name) ? environment[`${name}_FILE`] : undefined;
  if (!file) return environment[name];
  if (environment[name]) throw new ConfigError(`${name} and ${name}_FILE are both set; only one of them can be`);
  const value = readBounded(`${name}_FILE`, file).replace(/\r?\n$/, '');
  if (value === '') throw new ConfigError(`${name}_FILE: ${file} is empty`);
  return value;
}

/** Those of the settings that the environment gives in files. Throws ConfigError. */
export function settingsFromFiles(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const given = names.filter((name) => SECRET_NAME.test(name) && environment[`${name}_FILE`]);
  return Object.fromEntries(given.map((name) => [name, settingValue(name, environment) as string]));
}

/** Reads at most MAX_BYTES, as it may be an endless device. */
function readBounded(setting: string, file: string): string {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length: number;
  try {
    length = readUpTo(file, buffer);
  } catch (error) {
    throw new ConfigError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (length > MAX_BYTES) throw new ConfigError(`${setting}: ${file} is longer than 64 KiB`);
  return buffer.toString('utf8', 0, length);
}

function readUpTo(file: string, buffer: Buffer): number {
  const descriptor = openSync(file, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return length;
  } finally {
    closeSync(descriptor);
  }
}
