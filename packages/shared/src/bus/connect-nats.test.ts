import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nkeys } from 'nats';
import { type EmbeddedServer, startNats } from '../embedded';
import { type Logger, silentLogger } from '../observability';
import { natsAccessOf } from '../service';
import { createTestAuthority } from '../testing';
import { type NatsAccess, tryNats } from './connect-nats';
import { connectBus } from './index';

let directory: string;
let server: EmbeddedServer | undefined;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(directory, { recursive: true, force: true });
});

async function start(...settings: string[]): Promise<string> {
  server = await startNats({ directory, isPersistent: true, settings });
  return server.url.replace('nats://', '');
}

const file = (name: string, content: string) => {
  const written = path.join(directory, name);
  writeFileSync(written, content);
  return written;
};

const connectAs = (access: NatsAccess, log: Logger = silentLogger) =>
  connectBus({ ...access, prefix: '', name: 'test', log });

/** Connects, and sends a request. */
async function expectLetIn(access: NatsAccess): Promise<void> {
  const bus = await connectAs(access);
  await bus.connection.flush();
  await bus.close();
  await tryNats(access);
}

test('the user and password of the address are shown, and wrong ones end the start with one line that does not hold them', async () => {
  const at = await start('authorization { user: parley, password: "hu,sh@%" }');
  await expectLetIn({ url: `nats://parley:hu%2Csh%40%25@${at}` });
  await expectLetIn({ url: `nats://parley:hu%2Csh%40%25@127.0.0.1:1,${at}` });
  for (const ask of [connectAs, tryNats]) {
    await expect(ask({ url: `nats://parley:wrong@${at}` })).rejects.toThrow(
      /^NATS refuses the user and password of NATS_URL$/,
    );
    await expect(ask({ url: `nats://${at}` })).rejects.toThrow(/^NATS refuses whoever names no user/);
  }
}, 30_000);

test('a token is shown, too', async () => {
  const at = await start('authorization { token: "hush:hush" }');
  await expectLetIn({ url: `nats://hush%3Ahush@${at}` });
  await expect(connectAs({ url: `nats://wrong@${at}` })).rejects.toThrow(/^NATS refuses the token of NATS_URL$/);
}, 30_000);

test('a key file is used for sign-in, and so is a file that replaces it', async () => {
  const [key, other] = [nkeys.createUser(), nkeys.createUser()];
  const at = await start(`authorization { users: [{ nkey: ${key.getPublicKey()} }] }`);
  const nkeyFile = file('seed', `${Buffer.from(key.getSeed())}\n`);
  await expectLetIn({ url: `nats://${at}`, nkeyFile });
  file('seed', Buffer.from(other.getSeed()).toString());
  await expect(connectAs({ url: `nats://${at}`, nkeyFile })).rejects.toThrow(
    /^NATS refuses the key of NATS_NKEY_FILE$/,
  );
  file('seed', 'no key');
  await expect(connectAs({ url: `nats://${at}`, nkeyFile })).rejects.toThrow('NATS_NKEY_FILE does not hold');
}, 30_000);

test('a credentials file is used for sign-in', async () => {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const system = nkeys.createAccount().getPublicKey();
  const accounts = [account.getPublicKey(), system].map((key) => `${key}: ${jwt(operator, key, ACCOUNT)}`);
  const at = await start(
    `operator: ${jwt(operator, operator.getPublicKey(), { type: 'operator', version: 2 })}`,
    `system_account: ${system}`,
    'resolver: MEMORY',
    `resolver_preload: { ${accounts.join()} }`,
  );
  const credsFile = file(
    'creds',
    [
      ...[
        '-----BEGIN NATS USER JWT-----',
        jwt(account, user.getPublicKey(), USER),
        '------END NATS USER JWT------',
        '',
      ],
      ...['-----BEGIN USER NKEY SEED-----', `${Buffer.from(user.getSeed())}`, '------END USER NKEY SEED------', ''],
    ].join('\n'),
  );
  const bus = await connectAs({ url: `nats://${at}`, credsFile });
  await bus.connection.flush();
  await bus.close();
  await expect(connectAs({ url: `nats://${at}` })).rejects.toThrow(/^NATS refuses whoever names no user/);
}, 30_000);

test('TLS is used where the address or a file asks for it, with a certificate where the server wants one', async () => {
  const authority = await createTestAuthority();
  const files = await authority.issue(['localhost']);
  const { caFile, certFile, keyFile } = files;
  const at = await start(
    `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${caFile}", verify: true, timeout: 5 }`,
  );
  const named = at.replace('127.0.0.1', 'localhost');
  await expectLetIn({ url: `tls://${named}`, caFile, certFile, keyFile });
  await expect(tryNats({ url: `tls://${named}` })).rejects.toThrow(/certificate/);
  await expect(tryNats({ url: `tls://${named}`, caFile: `${caFile}.lost` })).rejects.toThrow('NATS_CA_FILE cannot be');
  authority.remove();
}, 30_000);

test('a client that requires TLS does not connect to a server without TLS', async () => {
  const at = await start();
  await expect(connectAs({ url: `tls://${at}` })).rejects.toThrow('NATS offers no TLS');
});

test('a connection outlives a change of the password, and says that it is refused meanwhile', async () => {
  const at = await start('authorization { user: parley, password: old }');
  const lines: string[] = [];
  const log = { ...silentLogger, ...noting(lines) } as Logger;
  const bus = await connectAs({ url: `nats://parley:old@${at}` }, log);
  const port = Number(at.split(':')[1]);
  await server?.stop();
  server = await startNats({ directory, isPersistent: true, port, settings: [userWith('new')] });
  while (!lines.some((line) => line.startsWith('NATS refuses this service now'))) await pause();
  await server?.stop();
  server = await startNats({ directory, isPersistent: true, port, settings: [userWith('old')] });
  while (!lines.includes('NATS is back')) await pause();
  await bus.connection.flush();
  // Logged after a while, so not for a server that is replaced at once; and logged once.
  expect(lines.filter((line) => line === 'NATS is away').length).toBeLessThanOrEqual(1);
  await bus.close();
}, 60_000);

test('an unreachable broker is waited for, and the reason is logged', async () => {
  const at = await start();
  await server?.stop();
  const lines: string[] = [];
  const connecting = connectAs({ url: `nats://${at}` }, { ...silentLogger, ...noting(lines) } as Logger);
  while (lines.length === 0) await pause();
  server = await startNats({ directory, isPersistent: true, port: Number(at.split(':')[1]) });
  await (await connecting).close();
  expect(lines).toEqual(['NATS is unreachable; waiting for it']);
}, 30_000);

test.each([
  [{ NATS_URL: 'nats://h', NATS_CERT_FILE: 'c' }, 'must be set together'],
  [{ NATS_URL: 'nats://u:hush@h', NATS_CREDS_FILE: 'c' }, 'exclude one another'],
  [{ NATS_URL: 'nats://h', NATS_CREDS_FILE: 'c', NATS_NKEY_FILE: 'n' }, 'exclude one another'],
])('settings that contradict one another are refused: %j', (config, message) => {
  expect(() => natsAccessOf(config)).toThrow(message);
});

const userWith = (password: string) => `authorization { user: parley, password: ${password} }`;
const pause = () => new Promise(setImmediate);

function noting(lines: string[]) {
  const note = (...words: unknown[]) => void lines.push(String(words.at(-1)));
  return { info: note, warn: note, error: note };
}

const LIMITS = { subs: -1, data: -1, payload: -1 };
const USER = { type: 'user', version: 2, ...LIMITS };
const ACCOUNT = { type: 'account', version: 2, limits: { ...LIMITS, conn: -1, leaf: -1, imports: -1, exports: -1 } };

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Signed as `nsc` does it. */
function jwt(issuer: KeyPair, subject: string, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = { jti: 'test', iat: 1, iss: issuer.getPublicKey(), name: 'test', sub: subject, nats: claims };
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(payload)}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

test('waiting for an unreachable broker ends when it is aborted', async () => {
  const closing = new AbortController();
  const connecting = connectBus({
    url: 'nats://127.0.0.1:1',
    prefix: '',
    name: 'test',
    log: silentLogger,
    signal: closing.signal,
  });
  closing.abort();
  await expect(connecting).rejects.toMatchObject({ name: 'AbortError' });
});
