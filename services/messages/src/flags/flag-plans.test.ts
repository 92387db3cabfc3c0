import { flagsChanged, reactionAdded } from '@parley/shared/events';
import type { TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import { loadEditedMessage } from '../edits/content-edit.sql';
import { insertReaction, loadReactedMessage } from '../reactions/reactions.sql';
import { loadMarkable } from './markable.sql';
import { storeFlag, storeRead, storeUnflag, storeUnread } from './store-flags.sql';
import { UNREADING } from './update-flags';

const MESSAGES = 5_000;

let database: TestDatabase;
beforeAll(async () => {
  // One connection, because prepared statements belong to a connection.
  database = await openTestDatabase(1);
  const { db } = database;
  await db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select 1, t, 1, 'Topic ' || t, 'topic ' || t, ${MESSAGES} from generate_series(1, 50) t`,
  );
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, m, 1 + m % 50, 1, 1, 1, 2, repeat('word ', 60), '', now(), 'test', false, false, false, false from generate_series(1, ${MESSAGES}) as m`,
  );
  await db.query('vacuum analyze');
});
afterAll(() => database.close());

const placeOf = (id: number) => ({ id, conversationId: 1 + (id % 50), channelId: 1 });
const event = flagsChanged(1, { userId: 9, op: 'add', flag: 'read', messageIds: [], isAll: false });
const storeOf = (id: number) => ({ realmId: 1, userId: 9, messages: [placeOf(id)], historicalIds: [], event });

function react(messageId: number) {
  const reaction = { userId: 9, reactionType: 'unicode_emoji', emojiCode: '1f642', emojiName: 'smile' };
  const message = { ...placeOf(messageId), holderIds: [] };
  const user = { id: 9, email: '', fullName: '' };
  const added = reactionAdded(1, { messageId, reaction, user, audience: { to: 'users', userIds: [9] } });
  return insertReaction(database.db, { ...reaction, realmId: 1, message }, false, added);
}

test.each<[string, (id: number) => Promise<unknown>]>([
  ['what is to be marked', (id) => loadMarkable(database.db, { realmId: 1, userId: 9 }, [id], UNREADING)],
  ['a message to react to', (id) => loadReactedMessage(database.db, 1, id, 9)],
  ['a message to edit', (id) => loadEditedMessage(database.db, 1, id, 9)],
  ['read', (id) => storeRead(database.db, storeOf(id))],
  ['unread', (id) => storeUnread(database.db, storeOf(id), { joinedVersions: new Map([[1, 1]]), senderIds: [2] })],
  ['starred', (id) => storeFlag(database.db, 'starred', storeOf(id))],
  ['starred no more', (id) => storeUnflag(database.db, 'starred', storeOf(id))],
  ['a reaction', react],
])('%s: a connection plans the statement once', async (_, act) => {
  const { db } = database;
  await db.query('deallocate all');
  const { name } = await preparedBy(() => act(1));
  for (let id = 2; id <= 12; id += 1) await act(id);
  const [plans] = await db.query<{ generic: number; custom: number }>(
    'select generic_plans as generic, custom_plans as custom from pg_prepared_statements where name = $1',
    [name],
  );
  expect(plans).toEqual({ generic: 12, custom: 0 });
});

async function preparedBy(act: () => Promise<unknown>): Promise<{ name: string }> {
  await act();
  const [prepared] = await database.db.query<{ name: string }>(
    `select name from pg_prepared_statements where name <> ''`,
  );
  return prepared as { name: string };
}
