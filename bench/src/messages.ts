import { databaseUrl as urlOf } from '@parley/shared/db';
import { connectRpc, newCall } from '@parley/shared/rpc';
import pg from 'pg';
import { chosen, ms, print, runBench } from './base/command';
import { type Servers, withServers } from './base/servers';
import { LIMIT_TABLES, limitsOf } from './messages/limits';
import { readingOn } from './messages/reading';
import { findSubjects, type Subjects } from './messages/subjects';
import { writingOn } from './messages/writing';
import { Api } from './operations/api';
import { type FilledParley, startFilledParley } from './operations/filled-parley';
import { measureOperations } from './operations/measure-operations';
import { COUNTING } from './operations/statement-counter';

const SIZE = { users: 10_000, channels: 1_000 };
/** A tenth of them are direct: a million are in channels. */
const MESSAGES = Number(process.env['MESSAGES'] ?? 1_100_000);
const TOPICS = 7_000;
const FILL_TIMEOUT_MS = 1_800_000;

/**
 * `npm run bench:messages`: the time of requests in a large organization with a million messages, beside one HTTP hop to a
 * statement that does the same. Words after it select operations by name; for a short run: MESSAGES=50000.
 */
async function measure(servers: Servers): Promise<void> {
  const parley = await startFilledParley(servers, SIZE);
  const api = new Api(parley.baseUrl, parley.authorization);
  const url = (service: string) => urlOf(servers.databaseUrl, 'parley', service);
  const [realm, messages] = [new pg.Client(url('realm')), new pg.Client(url('messages'))];
  try {
    await Promise.all([realm.connect(), messages.connect()]);
    await fill(parley);
    const subjects = await findSubjects(parley, api, { realm, messages });
    await messages.query(LIMIT_TABLES);
    await printUnread(subjects, messages);
    const limits = limitsOf(subjects);
    const operations = chosen([...readingOn(subjects, limits), ...writingOn(subjects, limits, messages)]);
    await measureOperations(operations, api, { databaseUrl: servers.databaseUrl, limitsUrl: url('messages') });
  } finally {
    await Promise.all([realm.end(), messages.end()]);
    await api.close();
    await parley.stop();
  }
}

async function fill({ addresses }: FilledParley): Promise<void> {
  const { client, close } = connectRpc('messages', addresses.messages);
  const begun = performance.now();
  const wanted = { subdomain: '', messages: MESSAGES, topics: TOPICS, seed: 1 };
  const filled = await client.fillMessages(newCall(undefined, FILL_TIMEOUT_MS), wanted);
  const { topics, directConversations } = filled;
  print(
    `${SIZE.users} users, ${MESSAGES} messages in ${SIZE.channels} channels, ${topics} topics, ${directConversations} direct conversations`,
  );
  print(`  ${'filled in'.padEnd(56)}${ms(performance.now() - begun)}`, '');
  close();
}

async function printUnread({ realmId, reader }: Subjects, messages: pg.Client): Promise<void> {
  const { rows } = await messages.query<{ topics: number; messages: number; own: number }>(
    `select count(distinct conversation_id)::float as topics, count(*)::float as messages,
       (select count(*)::float from message where realm_id = $1 and channel_id is not null) as own
     from message where realm_id = $1 and channel_id = any($2) and id > $3`,
    [realmId, reader.channelIds, reader.readTo],
  );
  const [unread] = rows;
  print(
    `  reader: ${reader.channelIds.length} channels, ${unread?.messages} unread messages in ${unread?.topics} topics`,
    '',
  );
  print(`  owner: all ${unread?.own} messages of channels received`, '');
}

runBench(() => withServers(measure, COUNTING));
