import { createHash } from 'node:crypto';
import { batched } from '@parley/shared/batch';
import { type OutsideAnswer, OutsideError, type OutsideHttp } from '@parley/shared/outside-http';
import { type Clock, toSeconds } from '@parley/shared/values';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { type Carried, type Carrier, retryAfterMs } from './carriers';
import type { Note } from './compose-note';
import type { PushDevice } from './push-devices.sql';

// The protocol is documented in docs/push.md.

export interface PushGateway {
  url: string;
  /** In the form of Standard Webhooks. */
  secret: string;
}

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 262_144;
const MOST_PER_REQUEST = 100;
const REQUESTS_AT_ONCE = 4;

const ANSWER = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['sent', 'gone', 'retry', 'refused']),
      retry_after: z.number().int().min(0).max(3_600).optional(),
    }),
  ),
});

interface ToPhone {
  device: PushDevice;
  note: Note;
  realmUrl: string;
}

/** Carries notifications to phones by the organization's own gateway: those of one moment together. */
export function phoneCarrier(
  { outside, clock }: { outside: OutsideHttp; clock: Clock },
  gateway: PushGateway,
): Carrier {
  const send = batched(
    async (items: ToPhone[]): Promise<Carried[]> => {
      const notifications = items.map((item, at) => notificationOf(item, String(at)));
      const body = JSON.stringify({ version: 1, notifications });
      try {
        return resultsOf(items.length, await outside(requestOf(gateway, body, clock.now())));
      } catch (error) {
        if (!(error instanceof OutsideError)) throw error;
        return items.map(() => ({ kind: 'retry', reason: error.reason, afterMs: 0 }));
      }
    },
    { maxItems: MOST_PER_REQUEST, maxInFlight: REQUESTS_AT_ONCE },
  );
  return (device, note, realmUrl) => send({ device, note, realmUrl });
}

function notificationOf({ device, note, realmUrl }: ToPhone, id: string) {
  const { kind, token, appId, userId } = device;
  return { id, kind, token, ...(appId !== null && { app_id: appId }), realm_url: realmUrl, user_id: userId, note };
}

/** A repeated request has the same id, as far as its notifications are the same. */
function requestOf({ url, secret }: PushGateway, body: string, nowMs: number) {
  const id = `push_${createHash('sha256').update(body).digest('base64url').slice(0, 32)}`;
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(toSeconds(nowMs)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(nowMs), body),
  };
  return { url, method: 'POST', headers, body, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES } as const;
}

/** A gateway that answers otherwise is out of order: everything is sent again. */
function resultsOf(count: number, { status, headers, body }: OutsideAnswer): Carried[] {
  const failed = (reason: string): Carried => ({
    kind: 'retry',
    reason,
    afterMs: retryAfterMs(headers['retry-after']),
  });
  const all = (carried: Carried) => Array.from({ length: count }, () => carried);
  if (status < 200 || status >= 300) return all(failed(`the push gateway answered with status ${status}`));
  const answer = ANSWER.safeParse(parse(body));
  if (!answer.success) return all(failed('the push gateway’s answer cannot be read'));
  const byId = new Map(answer.data.results.map((result) => [result.id, result]));
  return Array.from({ length: count }, (_, at) => {
    const result = byId.get(String(at));
    if (!result) return failed('the push gateway’s answer lacks a notification');
    if (result.status === 'retry') {
      return { kind: 'retry', reason: 'the push gateway asks for it', afterMs: (result.retry_after ?? 0) * 1_000 };
    }
    return result.status === 'refused' ? { kind: 'refused', reason: 'by the push gateway' } : { kind: result.status };
  });
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
