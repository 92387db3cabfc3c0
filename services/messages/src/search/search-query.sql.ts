import { composed, type Sql, statement } from '@parley/shared/db';
import type { z } from 'zod';
import type { Reader } from '../access/permissions';
import { isInChannels, isInConversations, isUnread } from '../narrows/conditions.sql';
import type { Bind, Condition, Narrow } from '../narrows/narrow';
import { isInScope } from '../narrows/scope.sql';

/** Towards older messages, or towards newer ones. */
export type Direction = 'before' | 'after';

const ORDER = {
  before: { compare: '<=', sort: 'desc', back: 'asc', unread: 'toId' },
  after: { compare: '>=', sort: 'asc', back: 'desc', unread: 'fromId' },
} as const;

/** The next ids to search: from `fromId` on, inclusive, in a direction. */
export interface Range {
  realmId: number;
  direction: Direction;
  fromId: number;
  limit: number;
}

/**
 * SQL: a limit of at least that many rows, for a query within one with an exact limit. It is a literal, since the planner assumes
 * a tenth of all rows for a limit in a parameter: it would find a custom plan cheaper, and plan each search again, which takes
 * longer than the search. Rounded to few values, since each makes another statement.
 */
export function roughLimit(rows: number): string {
  return String(2 ** Math.ceil(Math.log2(Math.max(rows, 32))));
}

/** A search of a reader. */
export interface Search {
  reader: Reader;
  narrow: Narrow;
}

/** A statement being built: `$1` is the organization, `$2` the first id, `$3` the limit. */
export class Query {
  readonly values: unknown[];
  readonly order;
  /** All conditions of the search on `m`; see isInScope() about `source`. */
  readonly where: string;
  readonly whereJoined: string;

  constructor(
    readonly search: Search,
    readonly range: Range,
    { isUnreadKnown = false, known }: { isUnreadKnown?: boolean; known?: Condition | undefined } = {},
  ) {
    this.values = [range.realmId, range.fromId, range.limit];
    this.order = ORDER[range.direction];
    const { narrow, reader } = search;
    const conditions = [
      ...(narrow.messageIds ? [`m.id = any(${this.bind(narrow.messageIds, 'bigint[]')})`] : []),
      ...(narrow.channelIds ? [isInChannels(narrow.channelIds)(this.bind)] : []),
      ...(narrow.conversations ? [isInConversations(narrow.conversations.map(({ id }) => id))(this.bind)] : []),
      ...narrow.conditions.filter((condition) => condition !== known).map((condition) => condition(this.bind)),
      ...(narrow.isUnread && !isUnreadKnown ? [isUnread(reader)(this.bind)] : []),
    ];
    const scope = isInScope(search, this.bind);
    this.where = [scope.alone, ...conditions].join(' and ');
    this.whereJoined = [scope.joined, ...conditions].join(' and ');
    this.source = scope.source;
  }

  /** The tables that `whereJoined` needs besides `m`. */
  readonly source: string;

  readonly bind: Bind = (value, type) => `$${this.values.push(value)}::${type}`;

  isInRange = (id: string): string => `${id} ${this.order.compare} $2`;

  /** Frequent texts are few, and prepared; the others are planned for their values. */
  run<Shape extends z.ZodRawShape>(sql: Sql, text: string, shape: Shape): Promise<z.infer<z.ZodObject<Shape>>[]> {
    const isHot = this.search.narrow.conditions.length === 0;
    return sql.query(isHot ? statement(text, shape) : composed(text, shape), this.values);
  }
}
