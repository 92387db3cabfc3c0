import { z } from 'zod';

/** A setting was missing or wrong; the message names the variable and is all an operator needs. */
export class ConfigError extends Error {}

/** Settings that every service has, under the same names in `npm start`, compose and Kubernetes. */
export const serviceSettings = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Where this process serves gRPC; port 0 takes a free one. */
  LISTEN: z.string().regex(/:\d+$/, 'must be host:port').default('127.0.0.1:0'),
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
    .regex(/^[A-Za-z0-9.-]+(:\d+)?$/, 'must be a host name, with or without a port')
    .default('127.0.0.1:9991'),
};

/** For services with a database: a PostgreSQL server, and the prefix of the databases' names on it. */
export const databaseSettings = {
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address'),
  DATABASE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and _')
    .default('parley'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
};

export const busSettings = {
  NATS_URL: z.string().regex(/^(nats|tls):\/\//, 'must be a nats:// address'),
  /** Prefix of the broker's stream and bucket names, so that several deployments can share a broker. */
  NATS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_]*$/, 'must be letters, digits and _')
    .default(''),
};

/** Parses a service's settings from the environment; called by its config.ts only. Throws ConfigError. */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: NodeJS.ProcessEnv,
): z.infer<z.ZodObject<Shape>> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = z.object(shape).safeParse(set);
  if (parsed.success) return parsed.data as z.infer<z.ZodObject<Shape>>;
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    if (set[name] === undefined) return `${name} must be set`;
    // Addresses may hold a password.
    return name.endsWith('_URL') ? `${name} ${issue.message}` : `${name} ${issue.message} (it is "${set[name]}")`;
  });
  throw new ConfigError(lines.join('\n'));
}
