import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { freePort } from '../embedded';
import { ConfigError } from '../errors';
import { serveMetrics, silentLogger } from '../observability';
import { createTestAuthority, type TestAuthority } from '../testing';
import { newCall } from './call';
import { connectRpc, type RpcConnection } from './client';
import { isServing } from './health';
import { type RpcServer, serve } from './serve';
import { refreshCertificates, type TlsFiles } from './tls';
import type { Implementation } from './types';

const CHECK = path.resolve(__dirname, '../../check-health.mjs');

let authority: TestAuthority;
let stranger: TestAuthority;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  [authority, stranger] = await Promise.all([createTestAuthority(), createTestAuthority('somebody else')]);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => {
  authority.remove();
  stranger.remove();
});

async function serveRealm(tls: TlsFiles, healthAddress?: string): Promise<RpcServer> {
  const implementation = { getRealm: async () => ({ id: 7 }) } as unknown as Implementation<'realm'>;
  const server = await serve({
    ...{ service: 'realm', implementation, address: '127.0.0.1:0', log: silentLogger, tls },
    ...(healthAddress !== undefined && { healthAddress }),
  });
  closing.push(() => server.stop(0));
  return server;
}

function connect(server: RpcServer, tls?: TlsFiles): RpcConnection<'realm'> {
  const connection = connectRpc('realm', server.address, tls);
  closing.push(() => connection.close());
  return connection;
}

const ask = async ({ client }: RpcConnection<'realm'>) =>
  (await client.getRealm(newCall('test', 1_500), { subdomain: '' })).id;

test('services that have certificates of one authority understand one another', async () => {
  const server = await serveRealm(await authority.issue(['realm']));
  expect(await ask(connect(server, await authority.issue(['gateway'])))).toBe(7);
});

test('metrics show when the certificates in use expire', async () => {
  const files = await authority.issue(['realm']);
  await serveRealm(files);
  const metrics = await serveMetrics('127.0.0.1:0');
  closing.push(() => metrics.stop());
  const text = await (await fetch(`http://${metrics.address}/metrics`)).text();
  const expiryOf = (of: string) =>
    Number(new RegExp(`parley_certificate_ends_timestamp_seconds{of="${of}"} (\\S+)`).exec(text)?.[1]);
  const endOf = (file: string) => Date.parse(new X509Certificate(readFileSync(file)).validTo) / 1000;
  // Certificates of all test authorities have the same validity.
  expect(Math.abs(expiryOf('own') - endOf(files.certFile))).toBeLessThan(60);
  expect(Math.abs(expiryOf('authority') - endOf(files.caFile))).toBeLessThan(60);
});

describe('a connection is refused', () => {
  test.each([
    ['for a caller without a certificate', async () => undefined],
    ['for a caller with a certificate of another authority', () => stranger.issue(['gateway'])],
    [
      'for a caller with a certificate of another authority that trusts ours',
      async () => ({ ...(await stranger.issue(['gateway'])), caFile: (await authority.issue(['x'])).caFile }),
    ],
  ])('%s', async (_caller, filesOf) => {
    const server = await serveRealm(await authority.issue(['realm']));
    await expect(ask(connect(server, await filesOf()))).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
  });

  test('to a service with the certificate of another service', async () => {
    const server = await serveRealm(await authority.issue(['messages']));
    const connection = connect(server, await authority.issue(['gateway']));
    await expect(ask(connection)).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
  });
});

test('certificates, and the authority, are replaced while calls run; none fails', async () => {
  const [ofRealm, ofGateway] = [await authority.issue(['realm']), await authority.issue(['gateway'])];
  const server = await serveRealm(ofRealm);
  const early = connect(server, ofGateway);
  expect(await ask(early)).toBe(7);
  const calls: Promise<number>[] = [];
  const keepAsking = setInterval(() => calls.push(ask(early)), 5);
  await stranger.replace(ofRealm, ['realm']);
  await stranger.replace(ofGateway, ['gateway']);
  refreshCertificates();
  expect(await ask(connect(server, await stranger.issue(['gateway'])))).toBe(7);
  await expect(ask(connect(server, await authority.issue(['gateway'])))).rejects.toThrow();
  clearInterval(keepAsking);
  expect(calls.length).toBeGreaterThan(10);
  expect(new Set(await Promise.all(calls))).toEqual(new Set([7]));
});

test('files that do not match are read again later; if they still do not match, that is logged once', async () => {
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
  closing.push(() => warning.mockRestore());
  const files = await authority.issue(['realm']);
  const server = await serveRealm(files);
  const { keyFile } = await authority.issue(['realm']);
  await authority.replace({ ...files, keyFile }, ['realm']);
  refreshCertificates();
  expect(await ask(connect(server, await authority.issue(['gateway'])))).toBe(7);
  expect(warning).not.toHaveBeenCalled();
  for (let looks = 0; looks < 3; looks += 1) refreshCertificates();
  const fault = `the key in ${files.keyFile} is not that of the certificate`;
  expect(warning.mock.calls).toEqual([[expect.stringContaining(fault)]]);
  await expect(serveRealm({ ...files, certFile: (await authority.issue(['x'])).certFile })).rejects.toThrow(fault);
});

test.each([
  ['certFile', 'TLS_CERT_FILE'],
  ['keyFile', 'TLS_KEY_FILE'],
  ['caFile', 'TLS_CA_FILE'],
] as const)('a start without a usable %s ends with a line that names the setting', async (part, setting) => {
  const files = await authority.issue(['realm']);
  for (const file of ['/nowhere.pem', CHECK]) {
    const refused = serveRealm({ ...files, [part]: file });
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(`${setting}: ${file} cannot be used: `);
  }
});

test('probes without a certificate reach health on a separate port', async () => {
  const healthAddress = `127.0.0.1:${await freePort()}`;
  await serveRealm(await authority.issue(['realm']), healthAddress);
  const raw = new grpc.Client(healthAddress, grpc.credentials.createInsecure());
  closing.push(() => raw.close());
  expect(await isServing({ raw } as never, 1_500)).toBe(true);
});

test('the image’s health check asks that port', async () => {
  const healthAddress = `127.0.0.1:${await freePort()}`;
  const { address } = await serveRealm(await authority.issue(['realm']), healthAddress);
  const check = (settings: NodeJS.ProcessEnv) =>
    once(spawn(process.execPath, [CHECK], { env: { ...process.env, LISTEN: address, ...settings } }), 'exit');
  const [asked, unheard] = await Promise.all([check({ HEALTH_LISTEN: healthAddress }), check({})]);
  expect([asked[0], unheard[0]]).toEqual([0, 1]);
});
