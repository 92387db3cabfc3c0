import { createECDH, createHash } from 'node:crypto';
import { type OutsideAnswer, OutsideError, type OutsideHttp } from '@parley/shared/outside-http';
import { type Carried, type Carrier, retryAfterMs } from './carriers';
import type { Note, ShownNote } from './compose-note';
import { shorten } from './plain-text';
import type { PushDevice } from './push-devices.sql';

/** The key pair by which push services know this server. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
  /** Where its operator can be reached. */
  subject: string;
}

/** The public key, in base64url, of a private one. */
export function vapidPublicKey(privateKey: string): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return ecdh.getPublicKey('base64url');
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;
const DAY_SECS = 86_400;
const TOPIC_LENGTH = 32;

/** Carries notifications by the push services of browsers (RFC 8030), encrypted for the browser alone (RFC 8291). */
export function webPushCarrier(outside: OutsideHttp, keys: VapidKeys): Carrier {
  return async (device, note) => {
    const request = await requestOf(device, note, keys);
    try {
      return carriedBy(await outside({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES }));
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      const isHopeless = error.reason === 'bad-url' || error.reason === 'forbidden-address';
      return isHopeless ? { kind: 'gone' } : { kind: 'retry', reason: error.reason, afterMs: 0 };
    }
  };
}

async function requestOf({ token: endpoint, p256dh, auth }: PushDevice, note: Note, keys: VapidKeys) {
  // Loaded with the first notification. Node finds this name in the default export only.
  const { default: webPush } = await import('web-push');
  const subscription = { endpoint, keys: { p256dh: p256dh as string, auth: auth as string } };
  const { headers, body } = webPush.generateRequestDetails(subscription, webPayload(note), {
    vapidDetails: keys,
    TTL: DAY_SECS,
    urgency: note.type === 'show' && note.is_new ? 'high' : 'normal',
    // Of what the browser has not fetched, the newest about a conversation is enough.
    topic: createHash('sha256').update(note.tag).digest('base64url').slice(0, TOPIC_LENGTH),
  });
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { url: endpoint, method: 'POST', headers: Object.fromEntries(texts) as Record<string, string>, body } as const;
}

function carriedBy({ status, headers }: OutsideAnswer): Carried {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `status ${status}`;
  if (status !== 429 && status < 500) return { kind: 'refused', reason };
  return { kind: 'retry', reason, afterMs: retryAfterMs(headers['retry-after']) };
}

/** Push services take 4,096 bytes, of which encryption needs 103. */
const MAX_PAYLOAD_BYTES = 3_993;

/** What the web client's service worker reads. It needs the ids of messages to tell new ones from those that a tab has shown. */
export function webPayload(note: Note): string {
  if (note.type === 'close') return JSON.stringify(note);
  const { messages, ...rest } = note;
  const payload = { ...rest, ids: messages.map(({ id }) => id) };
  const text = JSON.stringify(payload);
  const excess = Buffer.byteLength(text) - MAX_PAYLOAD_BYTES;
  return excess <= 0 ? text : JSON.stringify({ ...payload, body: withoutBytes(note, excess) });
}

/** JSON escapes some characters to more bytes, never to fewer: the text is shortened until it fits. */
function withoutBytes({ body }: ShownNote, excess: number): string {
  const target = Buffer.byteLength(JSON.stringify(body)) - excess;
  let text = body;
  while (text.length > 1 && Buffer.byteLength(JSON.stringify(text)) > target)
    text = shorten(text, Math.floor(text.length * 0.9));
  return text;
}
