import { composed, type Sql } from '@parley/shared/db';
import { z } from 'zod';
import type { Reader } from '../access/permissions';
import { alertCandidates } from './alerted.sql';
import { HAS, queriesOf } from './conditions.sql';
import { type Bind, bindTo, type Lead, type Route } from './narrow';

/** The searched ids, as SQL, and their order. */
interface Stretch {
  isInRange(id: string): string;
  sort: 'asc' | 'desc';
}

/** The text between `from` and `and` of a query on `m` along the route. `$1` is the organization. */
export function follow(route: Route, readerId: number, stretch: Stretch, bind: Bind): string {
  const { isInRange } = stretch;
  switch (route.kind) {
    case 'starred':
      return followIds('personal_flag f', 'f', `f.is_starred and f.user_id = ${bind(readerId, 'bigint')}`, stretch);
    case 'mention':
      return followIds('mention n', 'n', `n.user_id = ${bind(route.userId, 'bigint')}`, stretch);
    case 'wildcard':
      return `message m where m.realm_id = $1 and (m.mentions_channel or m.mentions_topic) and ${isInRange('m.id')}`;
    case 'sender':
      return `message m
        where m.realm_id = $1 and m.sender_id = ${bind(route.userId, 'bigint')} and ${isInRange('m.id')}`;
    case 'has':
      return `message m where m.realm_id = $1 and ${HAS[route.what]} and ${isInRange('m.id')}`;
    case 'reaction':
      return followIds('reaction r', 'r', 'true', stretch);
    case 'search':
      return followWords(route.words, stretch, bind);
    case 'alert':
      return followAlerts(route.words, stretch, bind);
  }
}

/** The columns that conditions use. */
const COLUMNS = `realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, moved_version, sender_id, topic_name,
  content, rendered_content, sent_at, is_read_by_sender, read_by_ids, mentions_channel, mentions_topic, topic_participant_ids,
  has_link, has_image, has_attachment, search_vector`;

/**
 * Looks up each id separately, in their order: `offset 0` keeps the planner from scanning the messages, which it would do when it
 * assumes that matches are everywhere.
 */
const BY_ID = `cross join lateral (select ${COLUMNS} from message where realm_id = $1 and id = found.id offset 0) m`;

function followIds(table: string, name: string, condition: string, { isInRange, sort }: Stretch): string {
  return `(
      select distinct ${name}.message_id as id from ${table}
      where ${name}.realm_id = $1 and ${condition} and ${isInRange(`${name}.message_id`)}
      order by ${name}.message_id ${sort}
    ) found ${BY_ID} where true`;
}

/** The order of a query along the route: the route's column for the message id. */
export function orderOf({ kind }: Route): string {
  return kind === 'starred' || kind === 'mention' || kind === 'reaction' ? 'found.id' : 'm.id';
}

/** Messages that have all words in their text, and those in topics that have some of them. */
function followWords(words: string, { isInRange }: Stretch, bind: Bind): string {
  const { all, any } = queriesOf(bind, words);
  const organization = `('''organization:' || $1::bigint::text || '''')::tsquery`;
  return `(
      select c.id from message c
      where c.realm_id = $1 and c.search_vector @@ (${all} && ${organization}) and ${isInRange('c.id')}
      union
      select c.id from topic t join message c on c.realm_id = t.realm_id and c.conversation_id = t.id
      where t.search_vector @@ (${any} && ${organization}) and t.realm_id = $1 and ${isInRange('c.id')}
        and (c.search_vector || t.search_vector) @@ ${all}
    ) found join message m on m.realm_id = $1 and m.id = found.id where numnode(${all}) > 0`;
}

/** Messages that may have one of the words; the rule itself is a condition. */
function followAlerts(words: readonly string[], { isInRange }: Stretch, bind: Bind): string {
  const candidates = alertCandidates(words, bind).map(
    (isOne) => `select c.id from message c where c.realm_id = $1 and ${isOne} and ${isInRange('c.id')}`,
  );
  return `(${candidates.join(' union ')}) found ${BY_ID} where true`;
}

const EVERYWHERE = { isInRange: () => 'true', sort: 'asc' } as const;

const EXPLAINED = { 'QUERY PLAN': z.array(z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })) };

/**
 * The approximate number of the organization's messages in a lead. Reads nothing: the planner estimates it from the statistics of
 * words, senders and flags.
 */
export async function estimateHits(sql: Sql, { realm, userId }: Reader, { routes }: Lead): Promise<number> {
  const values: unknown[] = [realm.id];
  const bind = bindTo(values);
  const parts = routes.map((route) => `select m.id from ${follow(route, userId, EVERYWHERE, bind)}`);
  const [row] = await sql.query(composed(`explain (format json) ${parts.join(' union all ')}`, EXPLAINED), values);
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}
