import {
  createDecipheriv,
  createECDH,
  createHash,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { until } from '@parley/shared/testing';

/** What a browser would get. */
export interface ReceivedPush {
  /** Of the subscription. */
  name: string;
  headers: IncomingHttpHeaders;
  note: PushNote;
}

export interface PushNote {
  type: 'show' | 'close';
  tag: string;
  title?: string;
  body?: string;
  path?: string;
  is_new?: boolean;
  ids?: number[];
}

/** A browser's subscription, as it gives it to the server. */
export interface TestSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

interface Browser {
  ecdh: ECDH;
  auth: Buffer;
}

/** A push service (RFC 8030) with browsers that decrypt what it gets (RFC 8291), and check who has sent it (RFC 8292). */
export class TestPushService {
  readonly received: ReceivedPush[] = [];
  /** The next answers, instead of 201. */
  readonly statuses: number[] = [];
  readonly #browsers = new Map<string, Browser>();
  #server: Server | undefined;
  #origin = '';

  /** `publicKey` is the server's, in base64url. */
  constructor(private readonly publicKey: string) {}

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const status = this.statuses.shift() ?? 201;
      const body = await buffer(request);
      if (status === 201) this.#take((request.url as string).slice(1), request.headers, body);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    this.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  subscribe(name: string): TestSubscription {
    const browser = { ecdh: createECDH('prime256v1'), auth: randomBytes(16) };
    const p256dh = browser.ecdh.generateKeys('base64url');
    this.#browsers.set(name, browser);
    return { endpoint: `${this.#origin}/${name}`, p256dh, auth: browser.auth.toString('base64url') };
  }

  /** Takes the pushes to a subscription that have come, once there are so many. */
  async take(name: string, count = 1): Promise<PushNote[]> {
    const isFor = (push: ReceivedPush) => push.name === name;
    await until(async () => this.received.filter(isFor).length >= count);
    const taken = this.received.filter(isFor);
    this.received.splice(0, this.received.length, ...this.received.filter((push) => !isFor(push)));
    return taken.map(({ note }) => note);
  }

  #take(name: string, headers: IncomingHttpHeaders, body: Buffer): void {
    checkSender(headers.authorization ?? '', this.#origin, this.publicKey);
    const note = JSON.parse(decrypt(this.#browsers.get(name) as Browser, body).toString());
    this.received.push({ name, headers, note });
  }
}

const SALT_BYTES = 16;
const KEY_LENGTH_AT = 20;
const TAG_BYTES = 16;

/** One record of aes128gcm. */
function decrypt({ ecdh, auth }: Browser, body: Buffer): Buffer {
  const salt = body.subarray(0, SALT_BYTES);
  const dataAt = KEY_LENGTH_AT + 1 + (body[KEY_LENGTH_AT] as number);
  const senderKey = body.subarray(KEY_LENGTH_AT + 1, dataAt);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(body.subarray(dataAt, -TAG_BYTES)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2));
}

/** Throws unless the server with this key has signed for this push service. */
function checkSender(authorization: string, origin: string, publicKey: string): void {
  const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { aud, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const point = Buffer.from(publicKey, 'base64url');
  const half = (from: number, to?: number) => point.subarray(from, to).toString('base64url');
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: half(1, 33), y: half(33) }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: jwk, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const secsLeft = exp - Date.now() / 1_000;
  const isRight = isSigned && key === publicKey && aud === origin && /^(mailto|https):/.test(sub);
  if (!isRight || secsLeft < 0 || secsLeft > 86_400) throw new Error(`a push from somebody else: ${authorization}`);
}

/** A key pair as `push keys` makes it. */
export function vapidKeys(): { VAPID_PRIVATE_KEY: string; publicKey: string } {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(createHash('sha256').update('the key of a test network').digest());
  return { VAPID_PRIVATE_KEY: pair.getPrivateKey('base64url'), publicKey: pair.getPublicKey('base64url') };
}
