import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fetchApiKey } from '@parley/gateway/endpoints';
import { post, receiverUrl } from '@parley/operator/audit-stream/http-receiver';
import { type ParsedCommand, parseCommandLine } from '@parley/operator/command-line';
import { runCommand } from '@parley/operator/run-command';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { type Manifest, nameOf, type Tree } from '../deployment/manifest';
import { mayReach } from '../deployment/may-reach';
import { podOf, productionWith } from '../deployment/overlays';
import { schemaFaults } from '../deployment/schema-faults';
import { operatorConfig } from './operator-config';

const PASSWORD = 'correct horse battery';

interface Delivered {
  authorization: string | undefined;
  body: string;
}

let network: TestNetwork;
let server: Server;
let folder: string;
let url: string;
const delivered: Delivered[] = [];
/** Answers instead of 200, one by one; 0: none at all. */
const answers: number[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-audit-'));
  network = await TestNetwork.create();
  server = createServer(async (req, res) => {
    delivered.push({ authorization: req.headers.authorization, body: await text(req) });
    const status = answers.shift() ?? 200;
    if (status === 0) req.socket.destroy();
    else res.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
});
afterAll(async () => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
  await network?.stop();
});
beforeEach(() => {
  delivered.length = 0;
  answers.length = 0;
});

async function admin(...words: string[]): Promise<string> {
  const printed: string[] = [];
  const terminal = { print: async (line: string) => void printed.push(line), say: () => {} };
  const config = operatorConfig(network, { AUDIT_STREAM_AUTHORIZATION: 'Bearer s3cret' });
  const rest = await runCommand(words, config, terminal);
  return printed.join('') + rest;
}

const entriesOf = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const sent = () => delivered.flatMap(({ body }) => entriesOf(body));
const follow = (file: string) =>
  admin('audit', 'follow', '--to', url, '--position-file', path.join(folder, file), '--until-current', 'yes', '--json');

test('entries of all organizations go to a receiver, once, and those that are recorded later after them', async () => {
  const first = JSON.parse(await follow('a.json'));
  expect(delivered[0]?.authorization).toBe('Bearer s3cret');
  expect(sent()).toHaveLength(first.delivered);
  expect(new Set(sent().map(({ realm }) => realm)).size).toBeGreaterThan(1);
  expect(sent()[0]).toMatchObject({
    seq: 1,
    at: expect.any(String),
    act: expect.any(String),
    hash: expect.any(String),
  });
  delivered.length = 0;
  expect(JSON.parse(await follow('a.json'))).toEqual({ delivered: 0 });
  await admin('user', 'rename', '--realm', eg.home.subdomain, '--email', eg.dan.email, '--name', 'Dan Dee');
  expect(JSON.parse(await follow('a.json'))).toEqual({ delivered: 1 });
  expect(sent()).toMatchObject([{ act: 'update-user', actor: { kind: 'operator' }, after: { full_name: 'Dan Dee' } }]);
  expect(JSON.parse(readFileSync(path.join(folder, 'a.json'), 'utf8'))).toEqual({ positions: expect.any(Object) });
});

test('records refused for good are reported, and sent again later', async () => {
  await follow('b.json');
  await admin('user', 'rename', '--realm', eg.home.subdomain, '--email', eg.dan.email, '--name', 'Dan Doe');
  delivered.length = 0;
  answers.push(403);
  await expect(follow('b.json')).rejects.toThrow(/has not taken audit entries: HTTP 403 \(attempt 1\)/);
  expect(JSON.parse(await follow('b.json'))).toEqual({ delivered: 1 });
  expect(sent().map(({ after }) => after.full_name)).toEqual(['Dan Doe', 'Dan Doe']);
});

test('temporary failures are retried up to a limit', async () => {
  const receiver = { url: new URL(url), authorization: undefined, firstPauseMs: 1 };
  answers.push(503, 0, 429);
  await post(receiver, '{}\n');
  expect(delivered.map(({ body }) => body)).toEqual(['{}\n', '{}\n', '{}\n', '{}\n']);
  delivered.length = 0;
  answers.push(...Array.from({ length: 20 }, () => 500));
  await expect(post(receiver, '{}\n')).rejects.toThrow('HTTP 500 (attempt 10)');
  expect(delivered).toHaveLength(10);
});

test('a stop does not wait for the next attempt', async () => {
  const stopping = new AbortController();
  answers.push(503);
  const posted = post(
    { url: new URL(url), authorization: undefined, firstPauseMs: 3_600_000, stopping: stopping.signal },
    '',
  );
  await until(() => delivered.length === 1);
  stopping.abort();
  await expect(posted).rejects.toThrow('aborted');
});

test('without a receiver they are printed, of one organization if that is wanted', async () => {
  const printed = entriesOf(await admin('audit', 'follow', '--realm', eg.away.subdomain, '--until-current', 'yes'));
  expect(printed.length).toBeGreaterThan(0);
  expect(new Set(printed.map(({ realm }) => realm)).size).toBe(1);
});

test('accepts only encrypted addresses, and only files of positions', async () => {
  expect(() => receiverUrl('http://siem.example.com/')).toThrow('--to must be an https:// address');
  expect(receiverUrl('https://siem.example.com/').hostname).toBe('siem.example.com');
  writeFileSync(path.join(folder, 'c.json'), 'nonsense');
  await expect(follow('c.json')).rejects.toThrow('is no file of positions');
});

test('delivers nothing where it cannot note how far it has come', async () => {
  delivered.length = 0;
  await expect(follow('none/d.json')).rejects.toThrow(/cannot be written to .*none\/d\.json \(ENOENT\)$/);
  expect(delivered).toEqual([]);
});

test('sign-ins are entries', async () => {
  await admin('user', 'password', '--realm', eg.home.subdomain, '--email', eg.eve.email, '--password', PASSWORD);
  await follow('d.json');
  delivered.length = 0;
  await network.eve.callRaw({
    method: 'POST',
    path: `/api/v1${fetchApiKey.path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: eg.eve.email, password: PASSWORD }).toString(),
  });
  await follow('d.json');
  expect(sent()).toMatchObject([{ act: 'sign-in', address: '127.0.0.1', subject: { kind: 'user' } }]);
  expect(JSON.stringify(sent())).not.toContain(PASSWORD);
});

describe('in a cluster', () => {
  const manifests = productionWith('audit-stream');
  const find = (kind: string, name = 'audit-stream') =>
    manifests.find((each) => nameOf(each) === `${kind} ${name}`) as Manifest;

  test('one pod follows the logs, and keeps how far it has come', () => {
    expect(manifests.flatMap((each) => schemaFaults(each).map((fault) => `${nameOf(each)}: ${fault}`))).toEqual([]);
    const { replicas, strategy } = find('Deployment')['spec'];
    expect({ replicas, strategy }).toEqual({ replicas: 1, strategy: { type: 'Recreate' } });
    const { containers, volumes, securityContext } = podOf(find('Deployment'));
    const [{ args, image, securityContext: container }] = containers;
    expect(image).toBe('registry.example.com/parley/operator:0.1.0');
    const { options } = parseCommandLine(args, 'parley') as ParsedCommand;
    expect(() => receiverUrl(options['to'] as string)).not.toThrow();
    const { persistentVolumeClaim } = volumes.find(({ name }: Tree) => name === 'data');
    expect(path.dirname(options['position-file'] as string)).toBe('/data');
    expect(find('PersistentVolumeClaim', persistentVolumeClaim.claimName)).toBeDefined();
    expect([securityContext, container]).toEqual([
      podOf(find('Deployment', 'operator')).securityContext,
      podOf(find('Deployment', 'operator')).containers[0].securityContext,
    ]);
  });

  test('and may reach realm only', () => {
    expect(mayReach(manifests, 'audit-stream', 'realm', 50051)).toBe(true);
    const others = ['messages', 'invites', 'events', 'scheduler', 'nats', 'gateway'];
    expect(
      others.filter((name) => [50051, 4222, 9991].some((port) => mayReach(manifests, 'audit-stream', name, port))),
    ).toEqual([]);
    expect(mayReach(manifests, null, 'audit-stream', 443)).toBe(false);
  });
});
