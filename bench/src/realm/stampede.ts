import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { ms, print } from '../base/command';
import { quantiles } from '../base/measure';
import type { FilledParley } from '../operations/filled-parley';

const CLIENTS = 500;
export const STAMPEDE = { name: `POST /register, ${CLIENTS} at once` };
const SAMPLE_EVERY_MS = 100;
const MIB = 1024 * 1024;

/** Many clients register at once, as after an outage of a network: how long they wait, and the cost. */
export async function measureStampede({ baseUrl, authorization, pids }: FilledParley): Promise<void> {
  const agent = new Agent({ connections: CLIENTS, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });
  const names = ['gateway', 'realm', 'messages', 'events'] as const;
  const peaks = new Map(names.map((name) => [name, 0]));
  const sample = () => {
    for (const name of names) peaks.set(name, Math.max(peaks.get(name) ?? 0, residentBytes(pids[name])));
  };
  sample();
  const before = new Map(peaks);
  const sampling = setInterval(sample, SAMPLE_EVERY_MS);
  const begun = performance.now();
  const durationsMs: number[] = [];
  const register = async () => {
    const { statusCode, body } = await request(`${baseUrl}/api/v1/register`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'include_subscribers=partial',
    });
    for await (const _chunk of body);
    if (statusCode !== 200) throw new Error(`a registration was answered with ${statusCode}`);
    durationsMs.push(performance.now() - begun);
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, register));
  } finally {
    clearInterval(sampling);
    await agent.close();
  }
  const { p50Ms, p99Ms } = quantiles(durationsMs);
  print(`${STAMPEDE.name}: all answered`);
  print(`  ${'until they were answered'.padEnd(44)} p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}`, '');
  for (const name of names) {
    const [from, to] = [before.get(name) ?? 0, peaks.get(name) ?? 0].map((bytes) => Math.round(bytes / MIB));
    print(`  ${`resident memory of ${name}`.padEnd(44)} ${from} MiB before, at most ${to} MiB`, '');
  }
}

/** The process's figures from the system. */
function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}
