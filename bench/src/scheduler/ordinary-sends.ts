import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { measureThroughput, quantiles, type Throughput } from '../base/measure';
import type { DueMessages } from './due-messages';

const SENDERS = 4;
const PAUSE_MS = 50;

/** A few users who send now and then: far from the limit of the machine. */
export async function ordinarySends(
  { baseUrl, sender, channel }: Pick<DueMessages, 'baseUrl' | 'sender' | 'channel'>,
  measureMs: number,
): Promise<Throughput> {
  const pool = new Pool(baseUrl, { connections: SENDERS });
  const headers = { authorization: sender, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({
    type: 'channel',
    to: channel,
    topic: 'ordinary',
    content: 'Good morning',
  }).toString();
  const durationsMs: number[] = [];
  const send = async () => {
    const begunAt = performance.now();
    const answer = await pool.request({ method: 'POST', path: '/api/v1/messages', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a send was answered with ${answer.statusCode}: ${text}`);
    durationsMs.push(performance.now() - begunAt);
    await sleep(PAUSE_MS);
  };
  await measureThroughput(send, { concurrency: SENDERS, warmUpMs: 0, measureMs });
  await pool.close();
  return { perSecond: durationsMs.length / (measureMs / 1_000), durationsMs, ...quantiles(durationsMs) };
}
