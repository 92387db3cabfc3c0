import { Pool } from 'undici';
import type { Parley } from './parley';
import { type Quantiles, quantiles } from './quantiles';

const ROUNDS = 300;

/** Time from the begin of a POST /messages until another user's waiting GET /events has answered with it. */
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
