import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import type { NatsAccess } from '../bus/connect-nats';
import { parseNatsUrl } from '../bus/nats-url';
import { ConfigError } from '../errors';
import { tracingSettings } from '../observability';
import type { TlsFiles } from '../rpc';

/** Files for mutual TLS between services, all of them or none. */
export const tlsSettings = {
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TLS_CA_FILE: z.string().optional(),
};

/** For serve() and connectRpc(). Undefined: no TLS between services. Throws ConfigError. */
export function tlsFilesOf(config: SettingsOf<typeof tlsSettings>): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile } = config;
  if (certFile !== undefined && keyFile !== undefined && caFile !== undefined) return { certFile, keyFile, caFile };
  if (certFile === undefined && keyFile === undefined && caFile === undefined) return undefined;
  throw new ConfigError('TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE must be set together');
}

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port. */
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i;
const MAX_PORT = 65_535;

function isHostAndPort(text: string): boolean {
  const [, port] = HOST_AND_PORT.exec(text) ?? [];
  return port !== undefined && Number(port) <= MAX_PORT;
}

/** An address at which a server listens. */
export const listenAddress = z.string().refine(isHostAndPort, 'must be host:port');

/** Where a service is: one or several host:port, separated by commas; all addresses of a host name are used. */
export const serviceAddress = z
  .string()
  .refine((list) => list.split(',').every(isHostAndPort), 'must be host:port, without a scheme');

/** Settings of every service, under the same names in `npm start`, compose and Kubernetes. */
export const serviceSettings = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Address of the gRPC server; port 0 takes a free one. */
  LISTEN: listenAddress.default('127.0.0.1:0'),
  ...tlsSettings,
  /** Serves health without TLS, for probes; absent: health is served only at LISTEN. */
  HEALTH_LISTEN: listenAddress.optional(),
  /** Address of the Prometheus endpoint; absent: none. */
  METRICS_LISTEN: listenAddress.optional(),
  ...tracingSettings,
};

/** For services with branded field names: the prefixes, all of which are used. */
export const brandSettings = {
  API_BRANDS: z
    .string()
    .regex(/^[a-z]+(,[a-z]+)*$/, 'must be lower-case words separated by commas')
    .default('service')
    .transform((list) => list.split(',')),
};

/** For services that create links to organizations, or find organizations by their host. */
export const hostSettings = {
  /** The host name of the root organization; the others are `<subdomain>.<EXTERNAL_HOST>`. */
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
  /** Whether a start migrates the database; otherwise it waits for the migration job. */
  MIGRATE_ON_START: z.stringbool().default(true),
  /** The same server with a user who may change the schema; absent: DATABASE_URL's user may. */
  MIGRATION_DATABASE_URL: postgresAddress.optional(),
};

const migrationSettings = {
  LOG_LEVEL: serviceSettings.LOG_LEVEL,
  DATABASE_URL: databaseSettings.DATABASE_URL,
  DATABASE_PREFIX: databaseSettings.DATABASE_PREFIX,
  MIGRATION_DATABASE_URL: databaseSettings.MIGRATION_DATABASE_URL,
};

/** For a process that only migrates: it needs just these settings of its service. Throws ConfigError. */
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
  /** Files for NATS: the trusted authority, the client certificate, the credentials. */
  NATS_CA_FILE: z.string().optional(),
  NATS_CERT_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
  NATS_CREDS_FILE: z.string().optional(),
  NATS_NKEY_FILE: z.string().optional(),
};

/** The parsed settings of such a declaration. */
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
 * Parses a service's settings from the environment; called by its config.ts only. A setting that may contain a secret can also be
 * a file, named by the setting with the suffix `_FILE`. Throws ConfigError.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: NodeJS.ProcessEnv,
): SettingsOf<Shape> {
  const { config, faults } = parseSettings(shape, environment);
  if (faults.length > 0) throw new ConfigError(faults.map(({ line }) => line).join('\n'));
  return config as SettingsOf<Shape>;
}

/** A problem with a setting, in one line that names it and shows no secret. */
export interface SettingFault {
  line: string;
  /** The setting is required and missing. */
  isMissing: boolean;
}

/** The problems that would keep a service with this declaration from starting. For checks of settings before a start. */
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
  // Addresses may contain a password, keys are secrets.
  const shown = SECRET_NAME.test(name) ? '' : ` (it is "${value}")`;
  return { line: `${name} ${message}${shown}`, isMissing: false };
}

/** For settings with secrets: a password in an address, a key. */
export const SECRET_NAME = /_(URL|SECRET|KEY|KEY_ID)$/;

const MAX_BYTES = 64 * 1024;

/**
 * A setting's value, which may be in a file, as secrets are mounted: `DATABASE_URL_FILE=/run/secrets/database-url` stands for
 * `DATABASE_URL`. Every setting that may contain a secret supports this. Read once, without a trailing line break. Throws
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

/** The settings that the environment gives as files. Throws ConfigError. */
export function settingsFromFiles(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const given = names.filter((name) => SECRET_NAME.test(name) && environment[`${name}_FILE`]);
  return Object.fromEntries(given.map((name) => [name, settingValue(name, environment) as string]));
}

/** Reads at most MAX_BYTES, because it may be an endless device. */
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
