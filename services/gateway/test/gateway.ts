import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, silentLogger } from '@parley/shared/service';
import type { Config } from '../src/config';
import { type Endpoint, encodeRequest, type InputOf } from '../src/endpoints';
import { create, type Overrides } from '../src/service';
import { eg } from './eg';
import {
  type EventsPeer,
  type PeerServer,
  type RealmPeer,
  startEvents,
  startInvites,
  startMessages,
  startRealm,
  startScheduler,
} from './peers';

export const IAGO = { email: 'iago@acme.example', key: eg.key('k') };

export interface TestAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect.
  json: any;
}

export interface RequestOptions {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** False: without credentials. */
  as?: { email: string; key: string } | false;
}

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  [field: string]: unknown;
}

/** A logger that keeps its lines. */
export function recordingLogger(): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const record = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ ...fields, level, message });
  };
  const methods: object = {
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    isLevelEnabled: () => true,
  };
  return { log: Object.assign(silentLogger.child({}), methods), lines };
}

export interface TestGateway {
  address: string;
  realm: RealmPeer;
  messages: PeerServer<'messages'>;
  invites: PeerServer<'invites'>;
  scheduler: PeerServer<'scheduler'>;
  events: EventsPeer;
  request(options: RequestOptions): Promise<TestAnswer>;
  /** Sends a declared request, and returns the parsed answer. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<TestAnswer>;
  /** Sends bytes, and returns all received bytes until the other side closes or `until` appears. */
  raw(bytes: string, until?: string): Promise<string>;
  stopGateway(): Promise<void>;
  stop(): Promise<void>;
}

/** A gateway whose answers are validated against their declarations, with peers on the network. */
export async function startGateway(config: Partial<Config> = {}, overrides: Overrides = {}): Promise<TestGateway> {
  const [realm, messages, invites, scheduler, events] = await Promise.all([
    startRealm(),
    startMessages(),
    startInvites(),
    startScheduler(),
    startEvents(),
  ]);
  const dataDirectory = await mkdtemp(join(tmpdir(), 'parley-gateway-'));
  realm.addAccount(IAGO.email, IAGO.key, eg.authentication());
  const gateway = create(
    {
      LOG_LEVEL: 'silent',
      PORT: 0,
      BIND: '127.0.0.1',
      EXTERNAL_HOST: 'chat.example',
      API_BRANDS: ['service'],
      APP_SCHEMES: ['parley'],
      RATE_LIMITS: false,
      ACCOUNT_REQUESTS_PER_MINUTE: 200,
      ADDRESS_REQUESTS_PER_MINUTE: 100,
      SEARCHES_PER_MINUTE: 100,
      MAIL_IN_MAX_SIZE_MIB: 25,
      MAILS_PER_MINUTE: 60,
      REGISTRATIONS_PER_MINUTE: 100,
      UPLOADS_PER_MINUTE: 200,
      UPLOAD_PARTS_PER_MINUTE: 600,
      DOWNLOADS_PER_MINUTE: 1_000,
      POLLS_PER_MINUTE: 100,
      SIGN_INS_PER_MINUTE: 50,
      SCIM_REQUESTS_PER_MINUTE: 1_000,
      TRUSTED_PROXIES: [],
      // Not called while there are no limits.
      NATS_URL: 'nats://127.0.0.1:1',
      NATS_PREFIX: '',
      DEV_LOGIN: false,
      WEB_PUBLIC_STREAMS_ENABLED: false,
      REGISTRATIONS_AT_ONCE: 16,
      REGISTRATIONS_WAITING: 100,
      VISITOR_REGISTRATIONS_AT_ONCE: 2,
      VISITOR_REGISTRATIONS_WAITING: 3,
      REALM_ADDRESS: realm.address,
      MESSAGES_ADDRESS: messages.address,
      INVITES_ADDRESS: invites.address,
      SCHEDULER_ADDRESS: scheduler.address,
      EVENTS_ADDRESS: events.address,
      VALIDATE_RESULTS: true,
      DATA_DIR: dataDirectory,
      S3_REGION: 'us-east-1',
      MAX_FILE_UPLOAD_SIZE_MIB: 100,
      ...config,
    },
    { log: silentLogger, ...overrides },
  );
  await gateway.start();
  // The rest of the start is irrelevant for tests.
  await realm.releaseReported;
  const { address } = gateway;
  let isStopped = false;
  const stopGateway = async () => {
    if (!isStopped) await gateway.stop();
    isStopped = true;
  };
  return {
    address,
    realm,
    messages,
    invites,
    scheduler,
    events,
    request: (options) => request(address, options),
    call(endpoint, input) {
      const { method, path, form } = encodeRequest(endpoint as Endpoint, input as never);
      const isBody = method !== 'GET' && method !== 'DELETE';
      const url = `/api/v1${path}${isBody || form.size === 0 ? '' : `?${form}`}`;
      return request(address, { method, path: url, ...(isBody && formBody(form)) });
    },
    raw: (bytes, until) => raw(address, bytes, until),
    stopGateway,
    async stop() {
      await stopGateway();
      await Promise.all([realm.stop(), messages.stop(), invites.stop(), scheduler.stop(), events.stop()]);
      await rm(dataDirectory, { recursive: true });
    },
  };
}

export function formBody(form: URLSearchParams | Record<string, string>): Pick<RequestOptions, 'body' | 'headers'> {
  return {
    body: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  };
}

export function basic({ email, key }: { email: string; key: string }): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}

function request(
  address: string,
  { method = 'GET', path, headers, body, as = IAGO }: RequestOptions,
): Promise<TestAnswer> {
  const [host, port] = address.split(':');
  // NOTE: by default Node's client sends no length for methods that usually have no body.
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const req = http.request(
      {
        host,
        port,
        method,
        path,
        agent: false,
        headers: { ...(as && { Authorization: basic(as) }), ...length, ...headers },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: res.statusCode as number,
            headers: res.headers,
            text,
            json: /json/.test(res.headers['content-type'] ?? '') && text ? JSON.parse(text) : null,
          });
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

function raw(address: string, bytes: string, until?: string): Promise<string> {
  const [host, port] = address.split(':');
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(Number(port), host, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk;
      if (until !== undefined && text.includes(until)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
