import type { Sql } from '@parley/shared/db';
import { Query, type Range, type Search } from './search-query.sql';
import { partsOf, type Sources } from './sources.sql';
import { type Pace, type Progress, walk } from './walk.sql';

/** Goes through the messages of some channels and conversations: what others write in between is not looked at. */
export function walkPlaces(sql: Sql, search: Search, range: Range, places: Sources, pace: Pace): Promise<Progress> {
  const query = new Query(search, range);
  const { order } = query;
  const first = (where: string, sort: string) =>
    `(select id from message where realm_id = $1 and ${where} order by id ${sort} limit 1)`;
  return walk(
    sql,
    query,
    {
      edges: `select ${first(query.isInRange('id'), order.sort)} as from_id, ${first('true', order.back)} as end_id`,
      messagesBetween: (lowId, highId) =>
        partsOf(query, places, {
          columns: `m.id, (${query.where}) is true as is_meant`,
          isInRange: `m.id between ${lowId} and ${highId}`,
          fromId: lowId,
          where: 'true',
          // A bound, be it of nothing: each source is read by itself, along its index.
          bound: 'offset 0',
        }),
    },
    pace,
  );
}
