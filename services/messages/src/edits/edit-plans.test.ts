import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { LIST_EXPIRED_DIRECT, LIST_EXPIRED_OF_CHANNELS, LIST_NEWEST_OF_TOPIC } from '../deletions/deletion.sql';
import { LIST_ARCHIVED_OF } from '../deletions/purge.sql';
import { LIST_ONE_AND_NEWEST, LIST_TOPIC_MESSAGES, RENAME_TOPIC } from './move.sql';

const LARGE = 10_000;
let world: EditWorld;
let firstId: number;
let conversationId: number;

const query = <Row>(sql: string, values: unknown[] = []) => world.network.service.db.query<Row>(sql, values);

beforeAll(async () => {
  world = await createEditWorld();
  firstId = await world.send(world.ann, world.lobby, 'large');
  const [row] = await query<{ id: number }>('select conversation_id as id from message where id = $1', [firstId]);
  conversationId = row?.id as number;
  await query(
    `with sent as (
       insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
         rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
       select realm_id, nextval('message_id'), case when n % 2 = 0 then conversation_id else 1000000 + n % 500 end, channel_id,
         sent_channel_id, sent_version, sender_id, content, rendered_content, sent_at, client_name, false, false, false, false
       from message cross join generate_series(1, $2::int) n where id = $1 returning realm_id, id, conversation_id
     ), topics as (
       insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
       select realm_id, conversation_id, 1, 'topic ' || conversation_id, 'topic ' || conversation_id, max(id)
       from sent where conversation_id >= 1000000 group by realm_id, conversation_id
     )
     update topic t set max_message_id = (select max(id) from sent where conversation_id = t.id) where id = $3`,
    [firstId, 2 * LARGE, conversationId],
  );
  await query(`insert into topic_edit (realm_id, conversation_id, edit_id, actor_id, edited_at, prev_topic, topic, last_message_id)
    select 1, 1000000 + n % 500, nextval('edit_id'), 1, now(), 'a', 'b', 1 from generate_series(1, 5000) n`);
  await query(`insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at, prev_content, prev_rendered_content)
    select realm_id, id, nextval('edit_id'), 1, sent_at, 'a', 'a' from message`);
  await query(
    `insert into archived_message (realm_id, message_id, archived_at, content)
     select realm_id, -id, now(), jsonb_build_object('message', jsonb_build_object('sender_id', id % 100)) from message`,
  );
  await query('vacuum analyze');
});
afterAll(() => world.network.stop());

async function planOf({ text }: { text: string }, values: unknown[]): Promise<string> {
  const rows = await query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test.each<[string, { text: string }, () => unknown[], string]>([
  [
    'the newest of what a topic holds',
    LIST_ONE_AND_NEWEST,
    () => [1, 1_000_007, 1, 1_000_000],
    'message_of_conversation',
  ],
  ['what a topic holds', LIST_TOPIC_MESSAGES, () => [1, 1_000_007, 0], 'message_of_conversation'],
  [
    'what a new name of a topic resets',
    RENAME_TOPIC,
    () => [1, conversationId, 2, 'a', 'b', 'b', null, 1, 1, 0, firstId, [firstId]],
    'message_with_own_topic',
  ],
  [
    'the newest of a topic',
    LIST_NEWEST_OF_TOPIC,
    () => [1, world.lobby.id, 'large', Number.MAX_SAFE_INTEGER, 100],
    'message_of_conversation',
  ],
  ['what a channel keeps no longer', LIST_EXPIRED_OF_CHANNELS, () => [1, [world.lobby.id], 0, 100], 'Index Scan'],
  ['old direct messages', LIST_EXPIRED_DIRECT, () => [1, 0, 100], 'message_direct'],
  ['what a person had deleted', LIST_ARCHIVED_OF, () => [1, world.bob.id, 100], 'archived_message_of_sender'],
])('%s is found by an index', async (_title, statement, values, index) => {
  const plan = await planOf(statement, values());
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/Seq Scan on (message|message_edit|topic_edit|topic|archived_message)\b/);
});

test('the edits of a page of messages are found by an index', async () => {
  const [row] = await query<{ body: string }>(`select prosrc as body from pg_proc where proname = 'edits_of'`);
  const [, text = ''] = /return query(.*);\s*end/s.exec(row?.body as string) ?? [];
  const bound = text.replace(/\brealm\b/g, '$1::bigint').replace(/\bmessages\b/g, '$2::bigint[]');
  const plan = await planOf({ text: bound }, [1, [firstId, firstId + 1, firstId + 2]]);
  expect(plan).toContain('message_edit_pkey');
  expect(plan).not.toMatch(/Seq Scan on (message|message_edit|topic_edit)\b/);
});

test('resolving a topic of ten thousand messages writes none of them', async () => {
  const written = async () => {
    const [row] = await query<{ count: number }>(
      `select count(*) from message where xmin <> (select xmin from message where id = $1)
      and id <> $1`,
      [firstId + 1],
    );
    return row?.count;
  };
  const before = await written();
  const topic = { topic: '✔ large', propagateMode: 'change_all' };
  await world.edit(world.bob, firstId, topic);
  const [edit] = (await world.events()).filter(({ kind }) => kind === 'message.edited');
  expect(edit?.payload.messageIds).toHaveLength(LARGE + 1);
  // One more: the notification bot's notice.
  expect(await written()).toBe((before as number) + 1);
}, 30_000);
