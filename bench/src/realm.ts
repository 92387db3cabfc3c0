import { databaseUrl as urlOf } from '@parley/shared/db';
import pg from 'pg';
import { chosen, ms, print, runBench } from './base/command';
import { type Servers, withServers } from './base/servers';
import { Api, type ApiRequest, post } from './operations/api';
import { type FilledParley, startFilledParley } from './operations/filled-parley';
import { measureOperations } from './operations/measure-operations';
import { COUNTING } from './operations/statement-counter';
import { LIMIT_TABLES, operationsOn, type Subjects } from './realm/operations';
import { measureStampede, STAMPEDE } from './realm/stampede';

const SIZE = { users: 20_000, channels: 2_000 };
const JOINING_USERS = 10_000;
/** Number of channels of the measured user: the largest ones. */
const OWN_CHANNELS = 200;

/**
 * `npm run bench:realm`: the time of requests in a large organization, beside one HTTP hop to a statement that does the same.
 * Words after it select operations by name.
 */
async function measure(servers: Servers): Promise<void> {
  const parley = await startFilledParley(servers, SIZE);
  const api = new Api(parley.baseUrl, parley.authorization);
  try {
    print(`${SIZE.users} users, ${SIZE.channels} channels, ${parley.subscriptions} subscriptions`);
    print(`  ${'filled in'.padEnd(56)}${ms(parley.fillMs)}`, '');
    await measureIn(parley, api, servers);
  } finally {
    await api.close();
    await parley.stop();
  }
}

async function measureIn(parley: FilledParley, api: Api, { databaseUrl }: Servers): Promise<void> {
  const limitsUrl = urlOf(databaseUrl, 'parley', 'realm');
  const subjects = await findSubjects(limitsUrl, parley.realmId);
  await api.call(joining(subjects.channelNames));
  await measureOperations(chosen(operationsOn(parley, subjects)), api, { databaseUrl, limitsUrl });
  if (chosen([STAMPEDE]).length > 0) await measureStampede(parley);
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
  return post('/users/me/subscriptions', { subscriptions: JSON.stringify(names.map((name) => ({ name }))) });
}

runBench(() => withServers(measure, COUNTING));
