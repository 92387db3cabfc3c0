import { anyIds } from '../messages/message.sql';
import type { Query } from './search-query.sql';

/** Channels and conversations to read one by one, along their indexes. */
export interface Sources {
  channelIds: readonly number[];
  conversationIds: readonly number[];
  /** Also all direct conversations of the reader. */
  hasDirects: boolean;
  /** Channels with messages that were moved elsewhere since, for their receivers. */
  formerChannelIds: readonly number[];
  /** Includes messages with flags of the reader that they did not receive. */
  hasHistorical: boolean;
}

/** The columns and conditions of each source, as SQL on `m`. */
interface Reading {
  /** `m.id` first. */
  columns: string;
  /** Conditions on the id, for the index. */
  isInRange: string;
  /** No message before that id is read. */
  fromId?: string;
  where: string;
  /** The end of each source's query. */
  bound: string;
}

/** A query for those columns of messages in the sources, each message once. Every source is read along its index. */
export function partsOf({ bind, search }: Query, sources: Sources, reading: Reading): string {
  const { columns, isInRange, fromId, where, bound } = reading;
  const part = (ids: string, key: string, more = '') =>
    `select found.* from ${ids} cross join lateral (
       select ${columns} from message m
       where m.realm_id = $1 and m.${key} = s.id and ${isInRange} ${more} and ${where} ${bound}
     ) found`;
  const listed = (ids: readonly number[]) => `unnest(${anyIds(bind(ids, 'bigint[]'))}) as s (id)`;
  const readerId = () => bind(search.reader.userId, 'bigint');
  const directs = () =>
    `(select id from direct_conversation where realm_id = $1 and participant_ids @> array[${readerId()}]
      ${fromId ? `and max_message_id >= ${fromId}` : ''}) as s`;
  const historical = () =>
    `(select ${columns} from personal_flag f join message m on m.realm_id = f.realm_id and m.id = f.message_id
      where f.realm_id = $1 and f.user_id = ${readerId()} and f.is_historical
        and ${isInRange} and ${where} ${bound})`;
  const { channelIds, conversationIds, formerChannelIds } = sources;
  const parts = [
    ...(channelIds.length > 0 ? [part(listed(channelIds), 'channel_id')] : []),
    ...(conversationIds.length > 0 ? [part(listed(conversationIds), 'conversation_id')] : []),
    ...(sources.hasDirects ? [part(directs(), 'conversation_id')] : []),
    ...(formerChannelIds.length > 0
      ? [part(listed(formerChannelIds), 'sent_channel_id', 'and m.channel_id <> m.sent_channel_id')]
      : []),
    ...(sources.hasHistorical ? [historical()] : []),
  ];
  return parts.length > 0 ? parts.join(' union ') : `select ${columns} from message m where false`;
}

/** At most `limit` messages per source, nearest to the end of `Query`'s range: both bound the cost. */
export function nearestOf(query: Query, sources: Sources, limit: string, where = 'true'): string {
  const { sort } = query.order;
  return partsOf(query, sources, {
    columns: 'm.id',
    isInRange: query.isInRange('m.id'),
    ...(sort === 'asc' && { fromId: '$2' }),
    where,
    bound: `order by m.id ${sort} limit ${limit}`,
  });
}
