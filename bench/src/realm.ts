import path from 'node:path';
import { databaseUrl as urlOf } from '@parley/shared/db';
import pg from 'pg';
import { Pool } from 'undici';
import { startChild } from './child';
import { ms, print, ratio, runBench } from './print';
import { CHANNELS, type FilledParley, startFilledParley, USERS } from './realm/filled-parley';
import { measureRepeated } from './realm/measure-repeated';
import { type ApiRequest, LIMIT_TABLES, type Operation, operationsOn, type Subjects } from './realm/operations';
import { COUNTING, StatementCounter } from './realm/statement-counter';
import { type Servers, withServers } from './with-servers';

const COUNTED_RUNS = 5;
const JOINING_USERS = 10_000;
/** That the measuring user is subscribed to: the largest ones. */
const OWN_CHANNELS = 200;

/**
 * `npm run bench:realm`: what clients of a large organization wait for, beside one HTTP hop to a statement that does the same. Words
 * after it choose the operations whose names have one of them.
 */
async function measure(servers: Servers): Promise<void> {
  const parley = await startFilledParley(servers);
  const { databaseUrl } = servers;
  try {
    print(`${USERS} users, ${CHANNELS} channels, ${parley.subscriptions} subscriptions`);
    print(`  ${'filled in'.padEnd(56)}${ms(parley.fillMs)}`, '');
    await measureOperations(parley, databaseUrl);
  } finally {
    await parley.stop();
  }
}

async function measureOperations(parley: FilledParley, databaseUrl: string): Promise<void> {
  const realmUrl = urlOf(databaseUrl, 'parley', 'realm');
  const subjects = await findSubjects(realmUrl, parley.realmId);
  const counter = await StatementCounter.open(databaseUrl);
  const plain = await startChild(path.join(__dirname, 'realm/plain-server.js'), [realmUrl]);
  const api = new Pool(parley.baseUrl, { connections: 1, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });
  const limits = new Pool(`http://${plain.address}`, { connections: 1, pipelining: 1 });
  const chosen = operationsOn(parley, subjects).filter(isChosen);
  try {
    await call(api, parley.authorization, joining(subjects.channelNames));
    for (const operation of chosen) await measureOperation(operation, parley, { api, limits, counter });
  } finally {
    await api.close();
    await limits.close();
    await plain.stop();
    await counter.close();
  }
}

async function findSubjects(realmUrl: string, realmId: number): Promise<Subjects> {
  const client = new pg.Client(realmUrl);
  await client.connect();
  await client.query(LIMIT_TABLES);
  const channels = await client.query<{ id: string; name: string }>(
    `select id, name from channel where realm_id = $1 and not is_private and not is_archived
     order by subscriber_count desc limit $2`,
    [realmId, OWN_CHANNELS],
  );
  const users = await client.query<{ id: string }>(
    'select id from user_account where realm_id = $1 and is_active and not is_bot order by id limit $2',
    [realmId, JOINING_USERS],
  );
  await client.end();
  return {
    channelId: Number(channels.rows[0]?.id),
    channelNames: channels.rows.map(({ name }) => name),
    userIds: users.rows.map(({ id }) => Number(id)),
  };
}

function joining(names: readonly string[]): ApiRequest {
  const subscriptions = JSON.stringify(names.map((name) => ({ name })));
  return { method: 'POST', path: '/users/me/subscriptions', fields: { subscriptions } };
}

function isChosen({ name }: Operation): boolean {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => name.includes(word));
}

interface Measures {
  api: Pool;
  limits: Pool;
  counter: StatementCounter;
}

async function measureOperation(
  operation: Operation,
  { authorization }: FilledParley,
  { api, limits, counter }: Measures,
) {
  let bytes = 0;
  const work = async (run: number) => {
    bytes = await call(api, authorization, operation.request(run));
  };
  const statements = await counter.fewest(COUNTED_RUNS, (run) => work(-1 - run));
  const { runs, p50Ms, p99Ms } = await measureRepeated(work);
  const limit = await measureRepeated((run) => callPlain(limits, operation.limit(run)));
  print(`${operation.name} (${runs} times, ${statements} statements, ${Math.round(bytes / 1024)} KiB)`);
  print(`  ${'Parley'.padEnd(44)} p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  ${ratio(p50Ms / limit.p50Ms)} of the limit`, '');
  print(`  ${'one hop to one statement'.padEnd(44)} p50 ${ms(limit.p50Ms)}  p99 ${ms(limit.p99Ms)}`, '');
}

/** Answers the length of the body. */
async function call(pool: Pool, authorization: string, { method, path: where, fields }: ApiRequest): Promise<number> {
  const answer = await pool.request({
    method,
    path: `/api/v1${where}`,
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
  });
  const body = Buffer.from(await answer.body.arrayBuffer());
  if (answer.statusCode !== 200) throw new Error(`${method} ${where} was answered with ${answer.statusCode}: ${body}`);
  return body.length;
}

async function callPlain(pool: Pool, sql: string): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/', body: sql });
  const body = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`the limit could not be measured: ${body}`);
}

runBench(() => withServers(measure, COUNTING));
