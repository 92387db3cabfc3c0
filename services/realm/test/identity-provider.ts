import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Configuration } from 'oidc-provider';

/** What the provider says about a person, by the name that they sign in with. */
export type People = Record<string, Record<string, unknown>>;

export interface IdentityProvider {
  issuer: string;
  people: People;
  /** The sessions of each person at the provider are known by their browser. */
  browser(): Browser;
  /** Signs with another key from now on. */
  rotateKeys(): Promise<void>;
  /** The provider's description differs in these; undefined: it lacks them. */
  metadata: Record<string, unknown>;
  /** At the path /picture. */
  picture: Buffer;
  /** Changes what the token endpoint answers, after the provider has made it. */
  tamper: ((answer: Record<string, unknown>) => Promise<Record<string, unknown>>) | null;
  /** A token with the provider's signature. */
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
  /** Paths that were asked for. */
  asked: string[];
  stop(): Promise<void>;
}

interface Browser {
  /** Signs in on the provider's own pages, and returns the address to which the provider leads then. */
  signIn(authorizationUrl: string, name: string): Promise<URL>;
}

export const CLIENT = {
  id: 'parley',
  secret: 'a secret of many characters',
  redirectUri: 'https://chat.example.com/cb',
};

/** A real provider in this process, with its own pages. */
export async function startIdentityProvider(people: People = {}): Promise<IdentityProvider> {
  let handle: (req: IncomingMessage, res: ServerResponse) => void = () => undefined;
  const server = createServer((req, res) => handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key = await newKey();
  const provider: IdentityProvider = {
    ...{ issuer, people, metadata: {}, tamper: null, picture: Buffer.alloc(0), asked: [], browser: newBrowser },
    async rotateKeys() {
      key = await newKey();
      handle = await handlerOf(provider, key);
    },
    sign: async (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: key.kid as string, ...header })
        .sign(await importJWK(key, 'RS256')),
    stop: () => stopServer(server),
  };
  handle = await handlerOf(provider, key);
  return provider;
}

async function newKey(): Promise<JWK> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

async function handlerOf(idp: IdentityProvider, key: JWK): Promise<Handler> {
  const own = (await providerOf(idp, key)).callback();
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

async function providerOf({ issuer, people }: IdentityProvider, key: JWK) {
  const byDefault = { features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } } };
  const configuration: Configuration = {
    ...byDefault,
    clients: ['parley', 'another'].map((client_id) => ({
      ...{ client_id, client_secret: CLIENT.secret, redirect_uris: [CLIENT.redirectUri] },
      ...{ backchannel_logout_uri: 'https://chat.example.com/out', backchannel_logout_session_required: true },
    })),
    jwks: { keys: [key as never] },
    claims: {
      ...{ openid: ['sub', 'sid'], email: ['email', 'email_verified'] },
      ...{ profile: ['name', 'picture'], groups: ['groups', 'realm_access'] },
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['cookies of the test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...people[accountId] }) }),
  };
  return quietly(async () => {
    const { default: Provider } = await import('oidc-provider');
    return new Provider(issuer, configuration);
  });
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

/** As a browser: keeps cookies, follows redirects of the provider, and presses the buttons of its pages. */
function newBrowser(): Browser {
  const cookies = new Map<string, string>();
  const visit = async (url: URL, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form && { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    async signIn(authorizationUrl, name) {
      let [url, form]: [URL, Record<string, string> | undefined] = [new URL(authorizationUrl), undefined];
      const { origin } = url;
      for (let step = 0; step < 20; step += 1) {
        const answer = await visit(url, form);
        const location = answer.headers.get('location');
        if (location !== null) {
          [url, form] = [new URL(location, url), undefined];
          if (url.origin !== origin) return url;
          continue;
        }
        const page = await answer.text();
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
        if (prompt === undefined) throw new Error(`the provider shows ${page}`);
        form = prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt };
        const action = /action="([^"]+)"/.exec(page)?.[1] as string;
        url = new URL(action, url);
      }
      throw new Error('the provider does not come to an end');
    },
  };
}
