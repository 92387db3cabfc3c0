import { type Sql, statement } from '@parley/shared/db';
import type { ListedTopic } from '@parley/shared/proto';
import { z } from 'zod';
import { bindTo } from '../narrows/narrow';
import { isInScope } from '../narrows/scope.sql';
import type { Search } from '../search/find-messages';

/**
 * SQL: a condition whose selectivity the planner takes for one half. Otherwise it expects hardly any messages of a topic to fulfill it, and reads and sorts
 * all of them instead of reading the newest first.
 */
const ofUnknownSelectivity = (condition: string) => `case when ${condition} then true end`;

/** The topics of a channel, with each one's newest message in the scope. One index lookup per topic. */
export function listTopicsIn(sql: Sql, search: Search, channelId: number): Promise<ListedTopic[]> {
  const values: unknown[] = [search.reader.realm.id];
  const bind = bindTo(values);
  const channel = bind(channelId, 'bigint');
  const scope = isInScope(search, bind);
  return sql.query(
    statement(
      `select coalesce(newest.topic_name, t.name) as name, newest.id as "maxMessageId"
     from topic t cross join lateral (
       select m.id, m.topic_name from message m
       where m.realm_id = $1 and m.conversation_id = t.id and ${ofUnknownSelectivity(scope.alone)}
       order by m.id desc limit 1
     ) newest
     where t.realm_id = $1 and t.channel_id = ${channel} order by newest.id desc`,
      { name: z.string(), maxMessageId: z.number() },
    ),
    values,
  );
}

/** Whether a message of the topic is in the scope. */
export async function hasMessagesIn(sql: Sql, search: Search, topicId: number): Promise<boolean> {
  const values: unknown[] = [search.reader.realm.id];
  const bind = bindTo(values);
  const topic = bind(topicId, 'bigint');
  const isInTheScope = ofUnknownSelectivity(isInScope(search, bind).alone);
  const rows = await sql.query(
    statement(
      `select from message m where m.realm_id = $1 and m.conversation_id = ${topic} and ${isInTheScope} order by m.id desc limit 1`,
      {},
    ),
    values,
  );
  return rows.length > 0;
}
