import type { Database, Sql } from '@parley/shared/db';
import { connectRpc } from '@parley/shared/rpc';
import { systemClock } from '@parley/shared/values';
import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';
import { KnownReadFacts } from '../access/known-read-facts';
import { loadReader } from '../access/load-reader';
import { EVERYTHING } from '../narrows/narrow';
import { hasMessagesIn, listTopicsIn } from './list-topics.sql';

const TOPICS = 20;

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});
afterAll(() => network.stop());

/** Topics in the channel and in 150 others, and many direct messages, so that the planner expects few messages of a channel in each conversation. */
async function fillTopics(db: Database, channelId: number): Promise<void> {
  await db.query(
    `with filled as (
       insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
         rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
       select 1, row_number() over (order by i), conversation, channel, channel, channel / channel, 1 + i % 7, repeat('word ', 60), '', now(), '', false, false, false, false
       from (
         select i, 1 + i % ${TOPICS} as conversation, $1::bigint as channel from generate_series(1, 2000) i
         union all
         select i, 1000 + i % 150, 1000 + i % 150 from generate_series(1, 2000) i
         union all
         select i, 2000 + i % 30, null from generate_series(1, 36000) i
       ) planned
       returning id, conversation_id, channel_id
     )
     insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select 1, conversation_id, channel_id, conversation_id, conversation_id, max(id) from filled
     where channel_id is not null group by conversation_id, channel_id`,
    [channelId],
  );
  await db.query('vacuum analyze message, topic');
}

/** Number of messages read so far in the transaction. */
async function messagesRead(tx: Sql): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select idx_tup_fetch + seq_tup_read as count from pg_stat_xact_user_tables where relname = 'message'`,
  );
  return row?.count as number;
}

test('listing the topics of a channel reads one message of each, by plans that do not depend on values', async () => {
  const { realm, service } = network;
  const ann = realm.addUser('Ann');
  const channel = realm.addChannel('Long topics');
  realm.subscribe(channel, ann);
  await fillTopics(service.db, channel.id);
  const { client, close } = connectRpc('realm', realm.address);
  const reader = await loadReader({ readFacts: new KnownReadFacts(client, systemClock) }, callerOf(ann));
  close();
  const ofHistory = { ...EVERYTHING, scope: { kind: 'history', channelIds: [channel.id] } } as const;
  await service.db.transaction(async (tx) => {
    await tx.query('set local plan_cache_mode = force_generic_plan');
    for (const narrow of [ofHistory, EVERYTHING]) {
      const before = await messagesRead(tx);
      expect(await listTopicsIn(tx, { reader, narrow }, channel.id)).toHaveLength(TOPICS);
      expect((await messagesRead(tx)) - before).toBe(TOPICS);
      expect(await hasMessagesIn(tx, { reader, narrow }, 1)).toBe(true);
      expect((await messagesRead(tx)) - before).toBe(TOPICS + 1);
    }
  });
});
