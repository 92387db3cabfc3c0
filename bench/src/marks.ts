import { databaseUrl as urlOf } from '@parley/shared/db';
import pg from 'pg';
import { chosen, print, runBench } from './base/command';
import { type Servers, withServers } from './base/servers';
import { type MarkedNarrow, measureMarks } from './marks/measure-marks';
import { findSubjects } from './messages/subjects';
import { Api } from './operations/api';
import { fillMessages } from './operations/fill-messages';
import { startFilledParley } from './operations/filled-parley';

const size = (name: string, usual: number) => Number(process.env[name] ?? usual);
const PEOPLE = { users: size('USERS', 2_000), channels: size('CHANNELS', 50) };
const FILLED = { messages: size('MESSAGES', 300_000), topics: 2_000 };
const UNREAD = size('UNREAD', 50_000);

/**
 * `npm run bench:marks`: a reader marks 50,000 unread messages as read with POST /messages/flags/narrow, in batches of 5,000: processor time
 * and duration of a call for each kind of narrow. Words after the command select narrows.
 */
async function measure(servers: Servers): Promise<void> {
  const parley = await startFilledParley(servers, PEOPLE);
  const api = new Api(parley.baseUrl, parley.authorization);
  const [realm, messages] = ['realm', 'messages'].map(
    (service) => new pg.Client(urlOf(servers.databaseUrl, 'parley', service)),
  ) as [pg.Client, pg.Client];
  try {
    await Promise.all([realm.connect(), messages.connect()]);
    await fillMessages(parley, messages, FILLED);
    const subjects = await findSubjects(parley, api, { realm, messages });
    const channel = { operator: 'channel', operand: subjects.topic.channelId };
    const narrows: MarkedNarrow[] = [
      { name: 'everything', terms: [], anchor: 'first_unread' },
      { name: 'is:unread', terms: [{ operator: 'is', operand: 'unread' }], anchor: 'oldest' },
      { name: 'a channel', terms: [channel], anchor: 'first_unread' },
      { name: 'a channel, is:unread', terms: [channel, { operator: 'is', operand: 'unread' }], anchor: 'oldest' },
      {
        name: 'a topic',
        terms: [channel, { operator: 'topic', operand: subjects.topic.name }],
        anchor: 'first_unread',
      },
    ];
    print(`${UNREAD} unread of ${FILLED.messages} messages in ${subjects.reader.channelIds.length} channels`);
    const bench = { parley, servers, api, messages, subjects, unread: UNREAD };
    for (const narrow of chosen(narrows)) await measureMarks(narrow, bench);
  } finally {
    await Promise.all([realm.end(), messages.end(), api.close()]);
    await parley.stop();
  }
}

runBench(() => withServers(measure, ['shared_buffers=1GB']));
