import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Client, Entry, SearchOptions } from 'ldapts';
import { DirectoryError } from './directory-error';
import { ldapts } from './ldapts';
import { requestTls } from './start-tls';

/** A server and how TLS begins there; there is no other way to connect. */
export interface DirectoryPlace {
  /** `ldaps://host[:port]` (TLS from the beginning) or `ldap://host[:port]` (STARTTLS). */
  url: string;
  /** Trusted authorities, PEM; empty: those of Node. */
  ca: string;
}

/** Time limits of a use of the directory. */
export interface DirectoryLimits {
  /** Until TLS is established. */
  connectMs: number;
  /** For one request. */
  requestMs: number;
  /** For the whole use. */
  totalMs: number;
}

/** A result code of RFC 4511. */
const INVALID_CREDENTIALS = 49;

export const SIGN_IN_LIMITS: DirectoryLimits = { connectMs: 3_000, requestMs: 4_000, totalMs: 8_000 };

/** Uses of the directory on a connection over TLS. */
export interface Directory {
  /** False: wrong password. Throws for any other refusal. An empty password is never sent: servers take it for an anonymous bind. */
  bind(dn: string, password: string): Promise<boolean>;
  /** Binds as the service account; anonymously without one. */
  bindService(account: { bindDn: string; bindPassword: string }): Promise<void>;
  search(base: string, options: SearchOptions): Promise<Entry[]>;
  /** Page by page; `each` may throw to end the search. */
  searchPages(base: string, options: SearchOptions, each: (entries: Entry[]) => void): Promise<void>;
}

/** Connects, works and disconnects; throws DirectoryError when the server does not do its part in time. */
export async function withDirectory<Result>(
  place: DirectoryPlace,
  limits: DirectoryLimits,
  work: (directory: Directory) => Promise<Result>,
): Promise<Result> {
  const opened: Socket[] = [];
  const end = () => {
    for (const socket of opened) socket.destroy();
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const tooLate = new DirectoryError('unreachable', `no result within ${limits.totalMs / 1_000} seconds`);
    timer = setTimeout(() => reject(tooLate), limits.totalMs);
  });
  try {
    return await Promise.race([timeout, use(place, limits, opened, work)]);
  } catch (error) {
    throw error instanceof Error ? explained(error) : error;
  } finally {
    clearTimeout(timer);
    end();
  }
}

async function use<Result>(
  place: DirectoryPlace,
  limits: DirectoryLimits,
  opened: Socket[],
  work: (directory: Directory) => Promise<Result>,
): Promise<Result> {
  const socket = await openSecureSocket(place, limits.connectMs, opened);
  let isTaken = false;
  const { Client } = ldapts();
  const client = new Client({
    url: 'ldap://localhost',
    timeout: limits.requestMs,
    strictDN: false,
    // NOTE: the client connects again when a connection is lost; it must never do so without TLS.
    createConnection: (() => {
      if (isTaken) throw new DirectoryError('unreachable', 'the server closed the connection');
      isTaken = true;
      return socket;
    }) as unknown as typeof connectTcp,
  });
  return work(directoryOf(client));
}

function directoryOf(client: Client): Directory {
  const bind = async (dn: string, password: string) => {
    if (password === '') return false;
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (error instanceof ldapts().ResultCodeError && error.code === INVALID_CREDENTIALS) return false;
      throw error;
    }
  };
  return {
    bind,
    async bindService({ bindDn, bindPassword }) {
      if (bindDn === '' || (await bind(bindDn, bindPassword))) return;
      throw new DirectoryError('credentials', 'the server refuses the service account: wrong bind DN or password');
    },
    async search(base, options) {
      return (await client.search(base, options)).searchEntries;
    },
    async searchPages(base, options, each) {
      for await (const { searchEntries } of client.searchPaginated(base, options)) each(searchEntries);
    },
  };
}

async function openSecureSocket({ url, ca }: DirectoryPlace, connectMs: number, opened: Socket[]): Promise<TLSSocket> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTlsAtOnce = protocol === 'ldaps:';
  const socket = connectTcp({ host, port: Number(port) || (isTlsAtOnce ? 636 : 389) });
  opened.push(socket);
  const timer = setTimeout(() => {
    for (const each of opened) each.destroy(new DirectoryError('unreachable', 'the server does not answer in time'));
  }, connectMs);
  try {
    await established(socket, 'connect');
    if (!isTlsAtOnce) await failing(socket, requestTls(socket));
    // Certificates for addresses name them, too; only names are sent to the server.
    const name = isIP(host) === 0 ? { servername: host } : {};
    const secure = connectTls({ socket, host, ...name, ...(ca !== '' && { ca }), minVersion: 'TLSv1.2' });
    opened.push(secure);
    await established(secure, 'secureConnect');
    return secure;
  } finally {
    clearTimeout(timer);
  }
}

function established(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return failing(socket, new Promise((resolve) => void socket.once(event as 'connect', resolve)));
}

/** Rejects when the socket fails or closes before the work is done. */
function failing(socket: Socket, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    // NOTE: the listener stays: an error without one would end the process.
    socket.on('error', reject);
    socket.once('close', () => reject(new DirectoryError('unreachable', 'the server closed the connection')));
    work.then(resolve, reject);
  });
}

const SIZE_LIMIT_EXCEEDED = 4;
const LISTS_A_PART =
  'the server lists only a part of its entries: it needs a higher limit for the service account (Size limit exceeded, 4)';

/** The error in words for the operator. */
export function explained(error: Error): Error {
  if (error instanceof DirectoryError) return error;
  if (error instanceof ldapts().ResultCodeError) {
    if (error.code === SIZE_LIMIT_EXCEEDED) return new DirectoryError('refused', LISTS_A_PART, { cause: error });
    const kind = error.constructor.name
      .replace(/Error$/, '')
      .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return new DirectoryError('refused', `the server refuses a request: ${kind} (${error.code})`, { cause: error });
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  const isTls = /^(ERR_TLS|ERR_SSL|CERT|DEPTH_|SELF_|UNABLE_|EPROTO)/.test(code) || code.includes('CERT');
  return new DirectoryError(isTls ? 'tls' : 'unreachable', error.message.split('\n')[0] ?? '', { cause: error });
}
