import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration } from 'oidc-provider';
import type { Page } from 'playwright-core';

export const CLIENT = { id: 'parley', secret: 'a secret of many characters' };

export interface IdentityProvider {
  readonly issuer: string;
  /** What it says about each person, by the name that they sign in with. */
  readonly people: Record<string, Record<string, unknown>>;
  /** Logouts that were refused. */
  readonly faults: string[];
  /** From now on it has this client; `gateway` is where the host name of its addresses leads. */
  register(client: { callback: string; logout: string; gateway: string }): Promise<void>;
  stop(): Promise<void>;
}

/** A real provider in this process, with pages of its own. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let handle = (_req: IncomingMessage, res: ServerResponse): unknown => res.writeHead(503).end();
  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: IdentityProvider = {
    ...{ issuer, people: {}, faults: [] },
    async register(client) {
      handle = await handlerOf(provider, configurationOf(provider.people, client));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

type Registered = Parameters<IdentityProvider['register']>[0];

function configurationOf(people: IdentityProvider['people'], { callback, logout, gateway }: Registered): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256', use: 'sig' };
  const rpInitiatedLogout = { enabled: true, logoutSource: askForLogout, postLogoutSuccessSource: sayGoodbye };
  const features = { devInteractions: { enabled: true }, backchannelLogout: { enabled: true }, rpInitiatedLogout };
  return {
    features,
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback] },
        ...{ backchannel_logout_uri: logout, backchannel_logout_session_required: true },
      },
    ],
    jwks: { keys: [key as never] },
    claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['cookies of the test'] },
    // By default it says on the console that these have not been designed.
    renderError: async (ctx, { error, error_description: description }) => {
      ctx.body = `${error}: ${description}`;
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...people[accountId] }) }),
    // The name of the gateway's host is known in the test's browser alone.
    fetch: (url, { method, headers, body } = {}) =>
      fetch(new URL(new URL(url).pathname, gateway), { method, headers, body } as RequestInit),
  } as Configuration;
}

async function askForLogout(ctx: { body: unknown }, form: string): Promise<void> {
  ctx.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
}

async function sayGoodbye(ctx: { body: unknown }): Promise<void> {
  ctx.body = '<!doctype html><h1>Goodbye</h1>';
}

/** The library prints advice for production. */
async function handlerOf({ issuer, faults }: IdentityProvider, configuration: Configuration) {
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    const { default: Provider } = await import('oidc-provider');
    const provider = new Provider(issuer, configuration);
    provider.on('backchannel.error', (_ctx, error) => faults.push(String(error)));
    return provider.callback();
  } finally {
    Object.assign(console, { info, warn });
  }
}

/** On the provider's own pages, as this person. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
