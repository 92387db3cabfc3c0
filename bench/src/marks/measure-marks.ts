import type pg from 'pg';
import { ms, print } from '../base/command';
import { quantiles } from '../base/measure';
import { readProcesses, treeOf } from '../base/processes';
import type { Servers } from '../base/servers';
import type { Subjects } from '../messages/subjects';
import { type Api, post } from '../operations/api';
import type { FilledParley } from '../operations/filled-parley';
import { type CpuMs, cpuOfParley, noiseBetween } from '../requests/costs';

const AT_ONCE = 5_000;
/** As in a service that has been running: the database plans a statement anew for its first uses on each connection. */
const WARM_UP = 6;
const MEASURED = 4;

/** All messages that a reader marks, and where the first batch begins. */
export interface MarkedNarrow {
  name: string;
  terms: readonly object[];
  anchor: string;
}

interface Bench {
  parley: FilledParley;
  servers: Servers;
  api: Api;
  messages: pg.Client;
  subjects: Subjects;
  unread: number;
}

interface Round {
  durationsMs: number[];
  marked: number;
  cpuMs: CpuMs;
}

/** Marks everything in a narrow as read several times, and prints the cost of a call. */
export async function measureMarks(narrow: MarkedNarrow, bench: Bench): Promise<void> {
  const [before, begunAt] = [readProcesses(), performance.now()];
  const rounds: Round[] = [];
  for (let count = 0; count < WARM_UP + MEASURED; count += 1) rounds.push(await markAll(narrow, bench));
  const measured = rounds.slice(WARM_UP);
  const calls = measured.flatMap(({ durationsMs }) => durationsMs);
  const [{ marked } = { marked: 0 }] = measured;
  const { p50Ms } = quantiles(calls);
  const names = [...(measured[0]?.cpuMs.keys() ?? [])];
  const cpuOf = (name: string) => measured.reduce((sum, { cpuMs }) => sum + (cpuMs.get(name) ?? 0), 0) / calls.length;
  const parts = names.map((name) => `${name} ${cpuOf(name).toFixed(1)}`);
  const all = names.reduce((sum, name) => sum + cpuOf(name), 0);
  print(`${narrow.name}: ${marked} marked by ${calls.length / measured.length} calls`);
  print(
    `  a call: processor time ${ms(all)} (${parts.join(', ')}); p50 ${ms(p50Ms)}, longest ${ms(Math.max(...calls))}`,
    '',
  );
  const after = readProcesses();
  const ours = new Set([process.pid, ...Object.values(bench.servers.pids)].flatMap((pid) => [...treeOf(pid, after)]));
  const noise = noiseBetween(before, after, { ours, elapsedMs: performance.now() - begunAt });
  print(`  others used ${(noise * 100).toFixed(0)} % of one core`, '');
}

async function markAll({ terms, anchor }: MarkedNarrow, { parley, servers, api, ...bench }: Bench): Promise<Round> {
  await leaveUnread(bench);
  const before = cpuOfParley(parley, servers);
  const durationsMs: number[] = [];
  let [from, marked, isDone] = [anchor, 0, false];
  while (!isDone) {
    const begunAt = performance.now();
    const fields = { narrow: JSON.stringify(terms), anchor: from, num_before: '0', num_after: String(AT_ONCE) };
    const mark = { op: 'add', flag: 'read', include_anchor: String(from === anchor) };
    const { authorization } = bench.subjects.reader;
    const answer = await api.call({ ...post('/messages/flags/narrow', { ...fields, ...mark }), authorization });
    durationsMs.push(performance.now() - begunAt);
    const batch = JSON.parse(String(answer)) as {
      updated_count: number;
      last_processed_id: number;
      found_newest: boolean;
    };
    marked += batch.updated_count;
    from = String(batch.last_processed_id);
    isDone = batch.found_newest;
  }
  const after = cpuOfParley(parley, servers);
  return {
    durationsMs,
    marked,
    cpuMs: new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)])),
  };
}

/** Only the newest messages of the reader's channels are unread. */
async function leaveUnread({
  messages,
  subjects,
  unread,
}: Pick<Bench, 'messages' | 'subjects' | 'unread'>): Promise<void> {
  const { realmId, reader } = subjects;
  for (const table of ['read_exception', 'channel_read_watermark']) {
    await messages.query(`delete from ${table} where realm_id = $1 and user_id = $2`, [realmId, reader.userId]);
  }
  await messages.query(
    `update read_watermark set message_id = coalesce((
       select id from message where realm_id = $1 and channel_id = any($3) order by id desc offset $4 limit 1), 0)
     where realm_id = $1 and user_id = $2`,
    [realmId, reader.userId, reader.channelIds, unread],
  );
}
