import type { AnyStatement, Sql } from '@parley/shared/db';
import { type MessagesUnderTest, startMessages } from '../../test/start-messages';
import { listParticipants } from '../conversations/conversation.sql';
import { listTopicPoliciesOf } from '../conversations/topic-policies.sql';
import { loadShownMessages } from '../messages/shown-message.sql';
import { listReactions } from '../reactions/reactions.sql';

const TOPICS = 2_000;
const MESSAGES = 20_000;

let network: MessagesUnderTest;
let topicOne: { realmId: number; channelId: number; nameKey: string };

beforeAll(async () => {
  network = await startMessages();
  topicOne = { realmId: 1, channelId: 1, nameKey: 'topic 1' };
  const { db } = network.service;
  await db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select 1, i, 1, 'Topic ' || i, 'topic ' || i, ${MESSAGES} from generate_series(1, ${TOPICS}) i`,
  );
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, i, case when i % 4 = 0 then 1 else 1 + i % ${TOPICS} end, 1, 1, 1, 1 + i % 7, repeat('word ', 60), '', now(), '', false, false, false, false
     from generate_series(1, ${MESSAGES}) i`,
  );
  await db.query(
    `insert into reaction (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
     select 1, i, 100 + i % 3, '', '', '' from generate_series(1, ${MESSAGES}) i`,
  );
  await db.query(
    `insert into submessage (realm_id, message_id, sender_id, msg_type, content)
     select 1, i, 1, '', '' from generate_series(1, ${MESSAGES}) i`,
  );
  await db.query(
    `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select 1, i % 500, 1, 'topic ' || i, '', 3, now() from generate_series(1, ${MESSAGES}) i`,
  );
  await db.query('analyze');
}, 60_000);

afterAll(() => network.stop());

/** The plan of the one statement that `run` sends. */
async function planOf(run: (sql: Sql) => Promise<unknown>): Promise<string> {
  let plan = '';
  const explaining: Sql = {
    async query<Row>(statement: AnyStatement<Row>, values: readonly unknown[] = []) {
      const text = typeof statement === 'string' ? statement : statement.text;
      const lines = await network.service.db.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values);
      plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      return [] as Row[];
    },
  };
  await run(explaining);
  return plan;
}

test.each<[string, string, (sql: Sql) => Promise<unknown>]>([
  ['reactions', 'reaction_pkey', (sql) => listReactions(sql, 1, [5, 17])],
  ['policies', 'topic_policy_pkey', (sql) => listTopicPoliciesOf(sql, 1, 7)],
  ['participants', 'message_of_sender_in_conversation', (sql) => listParticipants(sql, topicOne, 1, 16)],
])('%s are found by %s', async (_, index, run) => {
  const plan = await planOf(run);
  expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan');
});

test('messages are presented by index lookups', async () => {
  const plan = await planOf((sql) => loadShownMessages(sql, 1, [5, 17], 3));
  for (const index of ['message_pkey', 'reaction_pkey', 'submessage_pkey']) expect(plan).toContain(index);
  expect(plan).not.toMatch(/Seq Scan on (message|reaction|submessage|topic) /);
});

test('participants are listed up to a limit, in topics of any size', async () => {
  const { db } = network.service;
  const count = async (...parts: Parameters<typeof listParticipants> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await listParticipants(db, ...parts)).length;
  expect(await count(topicOne, 1, 16)).toBe(7 + 3);
  expect(await count(topicOne, 999, 16)).toBe(7 + 3 + 1);
  expect(await count(topicOne, 1, 3)).toBeGreaterThanOrEqual(3);
  expect(await count({ ...topicOne, nameKey: 'new' }, 1, 16)).toBe(1);
});
