/** The servers and credentials in NATS_URL. */
interface NatsUrl {
  /** `host:port` or `host`, without a user. */
  servers: string[];
  user?: string;
  password?: string;
  token?: string;
  /** One of them is `tls://`. */
  wantsTls: boolean;
}

const SERVER = /^(?:(nats|tls):\/\/)?(?:(.*)@)?((?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?)\/?$/;
const SHAPE =
  'must be a nats:// address, nats://user:password@host:4222, or several with commas; in a password @ , : / and % are written as %40 %2C %3A %2F and %25';

/**
 * Parses `nats://user:password@one:4222,two:4222`, or `nats://token@host`, or `tls://…`. The NATS client has one user for all
 * servers, separate from the addresses. Throws an error without any part of the address, which may contain a password.
 */
export function parseNatsUrl(url: string): NatsUrl {
  const matches = url.split(',').map((server) => SERVER.exec(server.trim()));
  if (!/^(nats|tls):\/\//.test(url) || matches.includes(null)) throw new Error(SHAPE);
  const parts = matches as RegExpExecArray[];
  const users = new Set(parts.flatMap(([, , user]) => (user ? [user] : [])));
  if (users.size > 1) throw new Error('must name the same user for all servers');
  return {
    servers: parts.map(([, , , server]) => server as string),
    ...userOf([...users][0]),
    wantsTls: parts.some(([, scheme]) => scheme === 'tls'),
  };
}

function userOf(text: string | undefined): Pick<NatsUrl, 'user' | 'password' | 'token'> {
  if (text === undefined) return {};
  const colon = text.indexOf(':');
  if (colon === -1) return { token: decode(text) };
  return { user: decode(text.slice(0, colon)), password: decode(text.slice(colon + 1)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(SHAPE);
  }
}
