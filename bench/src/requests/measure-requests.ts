import path from 'node:path';
import { databaseUrl as urlOf } from '@parley/shared/db';
import pg from 'pg';
import { Pool } from 'undici';
import { startChild } from '../base/child';
import { chosen, print } from '../base/command';
import { readProcesses, treeOf } from '../base/processes';
import type { Servers } from '../base/servers';
import { LIMIT_TABLES, limitsOf } from '../messages/limits';
import { findSubjects, type Subjects } from '../messages/subjects';
import { Api, post } from '../operations/api';
import { fillMessages } from '../operations/fill-messages';
import { type FilledParley, startFilledParley } from '../operations/filled-parley';
import { StatementCounter } from '../operations/statement-counter';
import { bareAccount } from './bare-statements';
import { noiseBetween } from './costs';
import { type MeasuredRequest, measureParts, measureRequest, warmUpServices } from './measure-request';
import { type People, type UsualRequest, usualRequests } from './usual-requests';

/** Of the organization that is measured in. */
export interface Size {
  users: number;
  channels: number;
  messages: number;
}

/** Topics grow in number as messages do. */
const MESSAGES_PER_TOPIC = 50;
const FEWEST_TOPICS = 2_000;
const MARKED = 30;
const REACTABLE = 300;
const EDITABLE = 600;
const CONNECTIONS = 16;

/** Prints the cost of each selected request in an organization of this size; resolves with the figures. */
export async function measureRequests(servers: Servers, size: Size): Promise<MeasuredRequest[]> {
  const parley = await startFilledParley(servers, size);
  const api = new Api(parley.baseUrl, parley.authorization, CONNECTIONS);
  const url = (service: string) => urlOf(servers.databaseUrl, 'parley', service);
  const [realm, messages] = [new pg.Client(url('realm')), new pg.Client(url('messages'))];
  const store = await startChild(path.join(__dirname, 'bare-store.js'), [url('realm'), url('messages')]);
  const gateway = await startChild(path.join(__dirname, 'bare-gateway.js'), [store.address]);
  const bare = new Pool(`http://${gateway.address}`, { connections: CONNECTIONS, pipelining: 1 });
  const counter = await StatementCounter.open(servers.databaseUrl);
  const [before, begunAt] = [readProcesses(), performance.now()];
  try {
    await Promise.all([realm.connect(), messages.connect()]);
    await fill(parley, { realm, messages }, size);
    const subjects = await findSubjects(parley, api, { realm, messages });
    const people = await findPeople(parley, subjects, api, messages);
    await messages.query(LIMIT_TABLES);
    const all = usualRequests(subjects, limitsOf(subjects), people);
    const bench = { parley, servers, api, counter, bare, barePids: [gateway.pid, store.pid] };
    const parts = await measureParts(bench, bareAccount(subjects));
    await warmUpServices(all[0] as UsualRequest, bench);
    const measured: MeasuredRequest[] = [];
    for (const each of chosen(all)) measured.push(await measureRequest(each, { ...bench, parts }));
    printNoise(before, begunAt, servers);
    return measured;
  } finally {
    await Promise.all([realm.end(), messages.end(), counter.close(), bare.close()]);
    await gateway.stop();
    await store.stop();
    await api.close();
    await parley.stop();
  }
}

async function fill(
  parley: FilledParley,
  { realm, messages }: Record<'realm' | 'messages', pg.Client>,
  { users, channels, messages: count }: Size,
): Promise<void> {
  const begunAt = performance.now();
  const topics = Math.max(FEWEST_TOPICS, Math.ceil(count / MESSAGES_PER_TOPIC));
  const isNew = await fillMessages(parley, messages, { messages: count, topics });
  // Otherwise autovacuum does it while requests are measured.
  if (isNew) await realm.query('vacuum (analyze)');
  const took = (durationMs: number) => (isNew ? `made in ${(durationMs / 1000).toFixed(0)} s` : 'made earlier');
  print(
    `${users} users and ${channels} channels, ${took(parley.fillMs)}; ${count} messages, ${took(performance.now() - begunAt)}`,
  );
}

/** Some direct messages, messages for the reader to mark, and messages for the owner to edit. */
async function findPeople(
  { authorization }: FilledParley,
  { realmId, ownerId, reader, topic }: Subjects,
  api: Api,
  messages: pg.Client,
): Promise<People> {
  for (let count = 0; count < 100; count += 1) {
    await api.call(post('/messages', { type: 'direct', to: `[${reader.userId}]`, content: `Hello ${count}` }));
  }
  const { rows } = await messages.query<{ id: string }>(
    'select id from message where realm_id = $1 and conversation_id = $2 order by id desc limit $3',
    [realmId, topic.id, REACTABLE],
  );
  // The messages to be edited may be older than the usual limit when their turn comes.
  await api.call({ method: 'PATCH', path: '/realm', fields: { message_content_edit_limit_seconds: '"unlimited"' } });
  const reactableIds = rows.map(({ id }) => Number(id));
  const receivedIds = reactableIds.slice(0, MARKED);
  const sent = post('/messages', { type: 'channel', to: String(topic.channelId), topic: 'bench', content: 'Hello' });
  const editableIds: number[] = [];
  for (let count = 0; count < EDITABLE; count += 1) {
    editableIds.push((JSON.parse(String(await api.call(sent))) as { id: number }).id);
  }
  await api.call(post('/mark_all_as_read', {}));
  return { partnerId: ownerId, receivedIds, reactableIds, editableIds, ownerAuthorization: authorization };
}

function printNoise(before: ReturnType<typeof readProcesses>, begunAt: number, servers: Servers): void {
  const after = readProcesses();
  const ours = new Set([process.pid, ...Object.values(servers.pids)].flatMap((pid) => [...treeOf(pid, after)]));
  const noise = noiseBetween(before, after, { ours, elapsedMs: performance.now() - begunAt });
  print(`other processes of this machine used ${(noise * 100).toFixed(0)} % of one core meanwhile`);
}
