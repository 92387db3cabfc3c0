import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration } from 'oidc-provider';
import { newProviderBrowser, type ProviderBrowser } from './provider-browser';

/** The claims about each person, by the name that they sign in with. */
export type People = Record<string, Record<string, unknown>>;

/** The provider's client; a second one, `another`, has the same addresses. */
export const CLIENT = {
  id: 'parley',
  secret: 'a secret of many characters',
  redirectUri: 'https://chat.example.com/cb',
};

/** Addresses of the clients. */
export interface ClientAddresses {
  callback: string;
  logout: string;
  /** Where the host name of the addresses leads, if it is known in the test's browser alone. */
  gateway?: string;
}

export interface IdentityProvider {
  issuer: string;
  people: People;
  /** A browser on the provider's own pages. */
  browser(): ProviderBrowser;
  /** The clients have these addresses from now on. */
  register(addresses: ClientAddresses): Promise<void>;
  /** Signs with another key from now on. */
  rotateKeys(): Promise<void>;
  /** The provider's description differs in these; undefined: it lacks them. */
  metadata: Record<string, unknown>;
  /** At the path /picture. */
  picture: Buffer;
  /** Changes what the token endpoint answers, after the provider has made it. */
  tamper: ((answer: Record<string, unknown>) => Promise<Record<string, unknown>>) | null;
  /** A token with the provider's signature. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Paths that were asked for. */
  asked: string[];
  /** Logouts that a client refused. */
  faults: string[];
  stop(): Promise<void>;
}

/** A real provider of OpenID Connect in this process, with its own pages. */
export async function startIdentityProvider(people: People = {}): Promise<IdentityProvider> {
  let handle: Handler = () => undefined;
  const server = createServer((req, res) => handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = [takeKey()];
  let addresses: ClientAddresses = { callback: CLIENT.redirectUri, logout: 'https://chat.example.com/out' };
  const renew = async () => {
    handle = await handlerOf(provider, keys[0] as Key, addresses);
  };
  const provider: IdentityProvider = {
    ...{ issuer, people, metadata: {}, tamper: null, picture: Buffer.alloc(0), asked: [], faults: [] },
    browser: newProviderBrowser,
    async register(wanted) {
      addresses = wanted;
      await renew();
    },
    async rotateKeys() {
      keys.unshift(takeKey());
      await renew();
    },
    sign: async (claims, header) => signed(keys[0] as Key, claims, header),
    async stop() {
      await stopServer(server);
      freeKeys.push(...keys);
    },
  };
  await renew();
  return provider;
}

type Key = ReturnType<typeof newKey>;

/** Keys of providers that have stopped: a new one takes a tenth of a second or more. */
const freeKeys: Key[] = [];

/** No two running providers have the same key. */
function takeKey(): Key {
  return freeKeys.pop() ?? newKey();
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { privateKey, kid: randomUUID() };
}

function signed({ privateKey, kid }: Key, claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  const parts = [{ alg: 'RS256', kid, ...header }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

async function handlerOf(idp: IdentityProvider, key: Key, addresses: ClientAddresses): Promise<Handler> {
  const library = await quietly(async () => {
    const { default: Provider } = await import('oidc-provider');
    return new Provider(idp.issuer, configurationOf(idp.people, key, addresses));
  });
  library.on('backchannel.error', (_ctx, error) => idp.faults.push(String(error)));
  const own = library.callback();
  return (req, res) => {
    const { pathname } = new URL(req.url as string, idp.issuer);
    idp.asked.push(pathname);
    if (pathname === '/.well-known/openid-configuration')
      rewrite(res, async (answer) => ({ ...answer, ...idp.metadata }));
    if (pathname === '/token' && idp.tamper) rewrite(res, idp.tamper);
    if (pathname === '/picture') res.end(idp.picture);
    else void own(req, res);
  };
}

/** Answers something else than the provider would. */
function rewrite(
  res: ServerResponse,
  change: (answer: Record<string, unknown>) => Promise<Record<string, unknown>>,
): void {
  const end = res.end.bind(res) as (body: string) => ServerResponse;
  res.end = ((body: Buffer | string) => {
    void change(JSON.parse(String(body))).then((changed) => {
      const text = JSON.stringify(changed);
      if (!res.headersSent) res.setHeader('content-length', Buffer.byteLength(text));
      end(text);
    });
    return res;
  }) as typeof res.end;
}

function configurationOf(people: People, { privateKey, kid }: Key, addresses: ClientAddresses): Configuration {
  const { callback, logout, gateway } = addresses;
  const rpInitiatedLogout = { enabled: true, logoutSource: askForLogout, postLogoutSuccessSource: sayGoodbye };
  return {
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true }, rpInitiatedLogout },
    clients: [CLIENT.id, 'another'].map((client_id) => ({
      ...{ client_id, client_secret: CLIENT.secret, redirect_uris: [callback] },
      ...{ backchannel_logout_uri: logout, backchannel_logout_session_required: true },
    })),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } as never] },
    claims: {
      ...{ openid: ['sub', 'sid'], email: ['email', 'email_verified'] },
      ...{ profile: ['name', 'picture'], groups: ['groups', 'realm_access'] },
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['cookies of the test'] },
    // By default it says on the console that these have not been designed.
    renderError: async (ctx, { error, error_description: description }) => {
      ctx.body = `${error}: ${description}`;
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...people[accountId] }) }),
    ...(gateway !== undefined && { fetch: fetchAt(gateway) }),
  } as Configuration;
}

function fetchAt(gateway: string) {
  return (url: string | URL, { method, headers, body }: RequestInit = {}) =>
    fetch(new URL(new URL(url).pathname, gateway), { method, headers, body } as RequestInit);
}

async function askForLogout(ctx: { body: unknown }, form: string): Promise<void> {
  ctx.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
}

async function sayGoodbye(ctx: { body: unknown }): Promise<void> {
  ctx.body = '<!doctype html><h1>Goodbye</h1>';
}

/** The library prints advice for production. */
async function quietly<Made>(make: () => Promise<Made>): Promise<Made> {
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    return await make();
  } finally {
    Object.assign(console, { info, warn });
  }
}
