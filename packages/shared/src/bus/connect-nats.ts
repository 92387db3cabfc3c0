import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  ErrorCode,
  type NatsConnection,
  nkeyAuthenticator,
} from 'nats';
import { ConfigError } from '../errors';
import type { Logger } from '../observability';
import { parseNatsUrl } from './nats-url';

/** The address of NATS, and this process's credentials. File names are absolute, or relative to the working directory. */
export interface NatsAccess {
  /** See parseNatsUrl(). */
  url: string;
  /** The authority of the servers' certificates. */
  caFile?: string | undefined;
  /** The certificate of this process, and its key. */
  certFile?: string | undefined;
  keyFile?: string | undefined;
  /** A user's JWT and seed, as `nsc` writes them. */
  credsFile?: string | undefined;
  /** The seed of an nkey alone. */
  nkeyFile?: string | undefined;
}

const ATTEMPT_MS = 10_000;
const PAUSE_MS = 100;
const PAUSE_JITTER_MS = 200;
/** Interval of log lines while waiting for the broker. */
const LOG_EVERY_MS = 30_000;
const REFUSALS = new Set<string>([
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AccountExpired,
  ErrorCode.BadCreds,
]);

/** Whether this code of the broker means that it rejects this process. */
export const isRefusal = (code: string): boolean => REFUSALS.has(code);

/**
 * Waits until NATS can be reached, and reconnects from then on. Throws ConfigError, one line without the password, if NATS
 * rejects the credentials or has no TLS. An established connection retries even then, since the password may be about to change.
 * `signal` aborts waiting: then it throws the signal's reason.
 */
export async function connectNats(
  access: NatsAccess,
  name: string,
  log: Logger,
  signal?: AbortSignal,
): Promise<NatsConnection> {
  const options = optionsOf(access);
  let logAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      await (await connectOnce(access, options)).close();
      break;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      if (performance.now() > logAtMs) {
        log.warn({ reason: (error as Error).message }, 'NATS is unreachable; waiting for it');
        logAtMs = performance.now() + LOG_EVERY_MS;
      }
      signal?.throwIfAborted();
      await sleep(PAUSE_MS + Math.random() * PAUSE_JITTER_MS, undefined, signal && { signal });
    }
  }
  signal?.throwIfAborted();
  return connect({
    ...options,
    name,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: PAUSE_MS,
    reconnectJitter: PAUSE_JITTER_MS,
    pingInterval: 10_000,
    // Otherwise each publish captures a stack trace, for errors that name the broker anyway.
    noAsyncTraces: true,
  });
}

/** Throws unless NATS with JetStream accepts this process now. Called by `npm start`, which does not wait. */
export async function tryNats(access: NatsAccess): Promise<void> {
  const connection = await connectOnce(access, optionsOf(access));
  await connection.jetstreamManager({ timeout: ATTEMPT_MS }).finally(() => connection.close());
}

/** Each server is tried once. */
async function connectOnce(access: NatsAccess, options: ConnectionOptions): Promise<NatsConnection> {
  try {
    return await connect({ ...options, timeout: ATTEMPT_MS, reconnect: false });
  } catch (error) {
    const { code = '', message } = error as { code?: string; message?: string };
    if (isRefusal(code)) throw new ConfigError(`NATS refuses ${identityOf(access)}`);
    if (code === ErrorCode.ServerOptionNotAvailable)
      throw new ConfigError('NATS offers no TLS, which NATS_URL (tls://) or a NATS_…_FILE asks for');
    throw new Error(message || String(error));
  }
}

function identityOf({ url, credsFile, nkeyFile, certFile }: NatsAccess): string {
  if (credsFile !== undefined) return 'the user of NATS_CREDS_FILE';
  if (nkeyFile !== undefined) return 'the key of NATS_NKEY_FILE';
  const { user, token } = parseNatsUrl(url);
  if (user !== undefined) return 'the user and password of NATS_URL';
  if (token !== undefined) return 'the token of NATS_URL';
  return certFile === undefined
    ? 'whoever names no user: NATS_URL must be nats://user:password@host'
    : 'the certificate of NATS_CERT_FILE';
}

function optionsOf(access: NatsAccess): ConnectionOptions {
  const { servers, user, password, token, wantsTls } = parseNatsUrl(access.url);
  const { caFile, certFile, keyFile } = access;
  for (const [setting, file] of [
    ['NATS_CA_FILE', caFile],
    ['NATS_CERT_FILE', certFile],
    ['NATS_KEY_FILE', keyFile],
  ] as const)
    if (file !== undefined) readSecret(setting, file);
  const authenticator = authenticatorOf(access);
  return {
    servers,
    ...(user === undefined ? {} : { user, pass: password }),
    ...(token === undefined ? {} : { token }),
    ...(authenticator && { authenticator }),
    ...((wantsTls || caFile || certFile) && { tls: withoutUndefined({ caFile, certFile, keyFile }) }),
  };
}

function authenticatorOf({ credsFile, nkeyFile }: NatsAccess): Authenticator | undefined {
  if (credsFile !== undefined) return fromFile('NATS_CREDS_FILE', credsFile, credsAuthenticator);
  if (nkeyFile === undefined) return undefined;
  return fromFile('NATS_NKEY_FILE', nkeyFile, (text) => nkeyAuthenticator(Buffer.from(text.toString().trim())));
}

/**
 * Reads the file for each connection, so that a replaced file is used. NOTE: the client closes for good if an
 * authenticator throws, so an unreadable file later is ignored in favour of the former content.
 */
function fromFile(setting: string, file: string, make: (content: Buffer) => Authenticator): Authenticator {
  const read = () => {
    const authenticator = make(readSecret(setting, file));
    authenticator('nonce');
    return authenticator;
  };
  let latest: Authenticator;
  try {
    latest = read();
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`${setting} does not hold what it should (${file})`);
  }
  return (nonce) => {
    try {
      latest = read();
    } catch {
      // The file is being replaced.
    }
    return latest(nonce);
  };
}

function readSecret(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(`${setting} cannot be read: ${(error as Error).message}`);
  }
}

function withoutUndefined<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
