import { Pool } from 'undici';
import { measureThroughput, type Quantiles, quantiles, type Throughput } from '../base/measure';
import type { Parley } from './parley';

export interface SendTarget {
  /** `http://host:port`. */
  baseUrl: string;
  path: string;
  authorization?: string;
  /** Form fields besides the content. */
  fields: Record<string, string>;
}

const CONTENT = 'The quick brown fox jumps over the lazy dog, again and again and again.';

/** Sends messages from `concurrency` senders, each waiting for its answer; every answer must be a success. */
export async function measureSends(target: SendTarget, concurrency: number, measureMs = 2_000): Promise<Throughput> {
  const pool = new Pool(target.baseUrl, { connections: concurrency, pipelining: 1 });
  const body = new URLSearchParams({ ...target.fields, content: CONTENT }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(target.authorization ? { authorization: target.authorization } : {}),
  };
  const send = async () => {
    const answer = await pool.request({ method: 'POST', path: target.path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a send was answered with ${answer.statusCode}: ${text}`);
  };
  try {
    return await measureThroughput(send, { concurrency, warmUpMs: 1_000, measureMs });
  } finally {
    await pool.close();
  }
}

const ROUNDS = 300;

/** The time from the start of a POST /messages until another user's pending GET /events has answered with it. */
export async function measureDelivery(parley: Parley, channel: string): Promise<Quantiles> {
  const pool = new Pool(parley.baseUrl, { connections: 2, pipelining: 1 });
  const call = async (method: 'GET' | 'POST', path: string, authorization: string, fields: Record<string, string>) => {
    const text = new URLSearchParams(fields).toString();
    const answer = await pool.request({
      method,
      path: method === 'GET' ? `${path}?${text}` : path,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      ...(method === 'POST' ? { body: text } : {}),
    });
    return (await answer.body.json()) as { queue_id: string; events: { id: number; type: string }[] };
  };
  const { queue_id } = await call('POST', '/api/v1/register', parley.receiver, { event_types: '["message"]' });
  let lastEventId = -1;
  const durationsMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const poll = call('GET', '/api/v1/events', parley.receiver, { queue_id, last_event_id: String(lastEventId) });
    const begun = performance.now();
    const fields = { type: 'channel', to: channel, topic: 'delivery', content: 'ping' };
    const sent = call('POST', '/api/v1/messages', parley.sender, fields);
    const { events } = await poll;
    durationsMs.push(performance.now() - begun);
    lastEventId = events.at(-1)?.id ?? lastEventId;
    await sent;
  }
  await pool.close();
  return quantiles(durationsMs.slice(20));
}
