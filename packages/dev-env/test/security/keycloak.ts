import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@parley/shared/embedded';
import { until } from '@parley/shared/testing';

const VERSION = '26.0.7';
const ARCHIVE = `https://repo1.maven.org/maven2/org/keycloak/keycloak-quarkus-dist/${VERSION}/keycloak-quarkus-dist-${VERSION}.zip`;
const CACHE = path.join(homedir(), '.cache', 'parley');
const ADMIN = { username: 'admin', password: 'admin' };
const REALM = 'acme';
const run = promisify(execFile);

export interface Keycloak {
  readonly issuer: string;
  /** Makes the realm with one client and one person, whose password is their name. */
  setUp(client: { secret: string; callback: string; logout: string }, person: KeycloakPerson): Promise<void>;
  stop(): Promise<void>;
}

export interface KeycloakPerson {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** Starts Keycloak, which runs on Java 17; it is fetched once. */
export async function startKeycloak(): Promise<Keycloak> {
  const home = await fetchOnce();
  const port = await freePort();
  const data = ['--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${port}`];
  const admin = { KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username, KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password };
  const env = { ...process.env, ...admin };
  const child = spawn(path.join(home, 'bin/kc.sh'), ['start-dev', ...data], { env, stdio: 'ignore', detached: true });
  const base = `http://127.0.0.1:${port}`;
  await untilUp(child, `${base}/realms/master`);
  return {
    issuer: `${base}/realms/${REALM}`,
    setUp: (client, person) => setUp(base, client, person),
    stop: () => stop(child),
  };
}

async function fetchOnce(): Promise<string> {
  const home = path.join(CACHE, `keycloak-${VERSION}`);
  if (existsSync(home)) return home;
  await mkdir(CACHE, { recursive: true });
  const archive = `${home}.zip`;
  await run('curl', ['--fail', '--silent', '--show-error', '--output', archive, ARCHIVE]);
  await run('unzip', ['-q', archive, '-d', CACHE]);
  await rm(archive);
  return home;
}

function untilUp(child: ChildProcess, url: string): Promise<boolean> {
  return until(() => {
    if (child.exitCode !== null) throw new Error(`Keycloak ended with ${child.exitCode}`);
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  });
}

/** Its script starts Java, so the whole group is ended. */
async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid as number), 'SIGTERM');
  await ended;
}

async function setUp(
  base: string,
  { secret, callback, logout }: Parameters<Keycloak['setUp']>[0],
  person: KeycloakPerson,
): Promise<void> {
  const client = {
    ...{ clientId: 'parley', secret, publicClient: false, standardFlowEnabled: true, redirectUris: [callback] },
    attributes: {
      ...{ 'backchannel.logout.url': logout, 'backchannel.logout.session.required': 'true' },
      'pkce.code.challenge.method': 'S256',
    },
  };
  const credentials = [{ type: 'password', value: person.username, temporary: false }];
  const users = [{ ...person, enabled: true, emailVerified: true, credentials }];
  const realm = { realm: REALM, enabled: true, sslRequired: 'none', clients: [client], users };
  const answer = await fetch(`${base}/admin/realms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await adminToken(base)}`, 'content-type': 'application/json' },
    body: JSON.stringify(realm),
  });
  if (answer.status !== 201) throw new Error(`Keycloak answered ${answer.status}: ${await answer.text()}`);
}

async function adminToken(base: string): Promise<string> {
  const body = new URLSearchParams({ client_id: 'admin-cli', grant_type: 'password', ...ADMIN });
  const answer = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}
