import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { isInChannels } from '../narrows/conditions.sql';
import { mayBeHeardIn } from '../narrows/is-muted';
import { type Bind, bindTo, type Condition, type Lead } from '../narrows/narrow';
import { follow, orderOf } from '../narrows/routes.sql';
import { isInScope } from '../narrows/scope.sql';
import { countedChannelIds } from '../read-state/is-read';
import type { UnreadBounds, UnreadParameters } from '../read-state/unread.sql';
import {
  FEWEST_READ,
  firstUnread,
  firstUnreadBeside,
  firstUnreadByChannels,
  firstUnreadByWalk,
  WALKED_MESSAGES,
} from './find-unread.sql';
import { Query, type Range, roughLimit, type Search } from './search-query.sql';
import { nearestMeant, nearestOf, type Sources } from './sources.sql';
import { unreadBoundsOf, unreadParametersIn } from './walk.sql';

const ID = { id: z.number() };
const FIRST_ID = { id: z.number().nullable() };
const WALKED = { ...FIRST_ID, isGivenUp: z.boolean(), hasBeside: z.boolean() };

/** The number of messages read, the last of them, and the matching ids. */
const WINDOW = { scanned: z.number(), lastId: z.number().nullable(), ids: z.array(z.number()) };

export type Window = z.infer<z.ZodObject<typeof WINDOW>>;

/** Ids, in the order of the direction, of messages in any of the sources. */
export async function findInSources(sql: Sql, search: Search, range: Range, sources: Sources): Promise<number[]> {
  const query = new Query(search, range);
  const found = nearestMeant(query, sources, { limit: roughLimit(range.limit) });
  const rows = await query.run(sql, `select id from (${found}) as m order by id ${query.order.sort} limit $3`, ID);
  return rows.map(({ id }) => id);
}

/** Ids of matching messages among the next `size` of the organization, or of the sources. */
export async function findInWindow(
  sql: Sql,
  search: Search,
  range: Range,
  size: number,
  sources: Sources | null,
): Promise<Window> {
  const query = new Query(search, range);
  const { order, bind } = query;
  const rows = bind(size, 'bigint');
  const scanned = sources
    ? nearestOf(query, sources, { limit: rows })
    : `select m.id from message m where m.realm_id = $1 and m.id ${order.compare} $2
       order by m.id ${order.sort} limit ${roughLimit(size)}`;
  const end = `m.id ${order.compare === '<=' ? '>=' : '<='} (select "lastId" from edge)`;
  const found = sources
    ? nearestMeant(query, sources, { where: end })
    : `select m.id from message m ${query.source}
       where m.realm_id = $1 and m.id ${order.compare} $2 and ${end} and ${query.whereJoined}`;
  const [window] = await query.run(
    sql,
    `with edge as materialized (
         select count(*) as scanned, ${order.sort === 'desc' ? 'min' : 'max'}(id) as "lastId"
         from (select id from (${scanned}) as m order by id ${order.sort} limit ${rows}) as scanned
       )
       select scanned, "lastId", array(select id from (${found}) as m order by id ${order.sort} limit $3) as ids from edge`,
    WINDOW,
  );
  return window as Window;
}

/** Ids of messages from an index. */
export async function findAlongLead(sql: Sql, search: Search, range: Range, lead: Lead): Promise<number[]> {
  const query = new Query(search, range, { known: lead.known });
  const { sort } = query.order;
  const parts = lead.routes.map((route) => {
    const from = follow(route, search.reader.userId, { isInRange: query.isInRange, sort }, query.bind);
    return `(select m.id from ${from} and ${query.where} order by ${orderOf(route)} ${sort} limit $3)`;
  });
  const rows = await query.run(sql, `select id from (${parts.join(' union ')}) as m order by id ${sort} limit $3`, ID);
  return rows.map(({ id }) => id);
}

/** Ids of matching messages among those whose ids the narrow names. */
export async function findById(sql: Sql, search: Search, range: Range): Promise<number[]> {
  const query = new Query(search, range);
  const rows = await query.run(
    sql,
    `select m.id from message m where m.realm_id = $1 and ${query.isInRange('m.id')} and ${query.where}
     order by m.id ${query.order.sort} limit $3`,
    ID,
  );
  return rows.map(({ id }) => id);
}

/** A reader of more channels reads everybody's messages to find the first unread one. */
const FEW_CHANNELS = 64;

/** The oldest unread message in the channels and conversations of a search; `isHeard` is a further condition on these. */
export async function findFirstUnreadInPlaces(
  sql: Sql,
  search: Search,
  isHeard: Condition,
  fewChannels = FEW_CHANNELS,
): Promise<number | null> {
  const walked = await walkToFirstUnread(sql, search, isHeard, fewChannels);
  if (walked === null || walked.isGivenUp) return findFirstUnreadInEach(sql, search, isHeard);
  const beside = walked.hasBeside ? await findFirst(sql, search, isHeard, firstUnreadBeside) : null;
  return beside !== null && beside < (walked.id ?? Number.POSITIVE_INFINITY) ? beside : walked.id;
}

/** The same by a look into each place. */
export function findFirstUnreadInEach(sql: Sql, search: Search, isHeard: Condition): Promise<number | null> {
  return findFirst(sql, search, isHeard, firstUnread);
}

async function findFirst(
  sql: Sql,
  search: Search,
  isHeard: Condition,
  queryFor: (p: UnreadParameters, places: UnreadBounds) => string,
): Promise<number | null> {
  const values: unknown[] = [search.reader.realm.id];
  const bind = bindTo(values);
  const text = queryFor(unreadParametersIn(search, bind), boundsOfFirst(search, isHeard, bind));
  const [row] = await sql.query(statement(text, FIRST_ID), values);
  return row?.id ?? null;
}

/** Null for narrows of single conversations, and of many channels: these are searched one by one. */
async function walkToFirstUnread(sql: Sql, search: Search, isHeard: Condition, fewChannels: number) {
  const { channelIds, conversations, places, namesChannel } = search.narrow;
  if (conversations || places) return null;
  const channels = channelIds?.length ?? countedChannelIds(search.reader).length;
  if (channelIds && channels > fewChannels) return null;
  const values: unknown[] = [];
  const bind = bindTo(values);
  const p = unreadParametersIn(search, bind);
  const isInChannel = namesChannel ? 'true' : mayBeHeardIn('c.channel_id', search.reader, bind);
  const most = Math.max(FEWEST_READ, Math.floor(WALKED_MESSAGES / Math.max(1, channels)));
  const text =
    channels > fewChannels
      ? firstUnreadByWalk(p, isInChannel, isHeard(bind))
      : firstUnreadByChannels(p, {
          isInChannel,
          isInPlace: isHeard(bind),
          hasDirect: !channelIds,
          most: bind(most, 'bigint'),
        });
  return onlyRow(await sql.query(statement(text, WALKED), values));
}

function boundsOfFirst(search: Search, isHeard: Condition, bind: Bind): UnreadBounds {
  const { channelIds } = search.narrow;
  const isInPlace = [...(channelIds ? [isInChannels(channelIds)] : []), isHeard];
  return {
    ...unreadBoundsOf(search, bind),
    isInPlace: isInPlace.map((condition) => condition(bind)).join(' and '),
    // PostgreSQL refuses a parameter that the statement does not use.
    isFound: `m.realm_id = $1 and ${isInScope(search, bind).alone}`,
  };
}
