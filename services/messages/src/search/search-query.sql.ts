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

/** Where to look next: ids from `fromId` on, itself included, in a direction. */
export interface Range {
  realmId: number;
  direction: Direction;
  fromId: number;
  limit: number;
}

/**
 * SQL: a limit of at least so many rows, for a query within one whose limit is exact. It is written out, since the planner takes a limit that is
 * bound for a tenth of all rows: it would find a plan for the very value cheaper, and plan each search anew, which takes longer than the
 * search. Of few values, since each makes a statement.
 */
export function roughLimit(rows: number): string {
  return String(2 ** Math.ceil(Math.log2(Math.max(rows, 32))));
}

/** A search of a reader. */
export interface Search {
  reader: Reader;
  narrow: Narrow;
}

/** A statement in the making: `$1` is the organization, `$2` the first id, `$3` the limit. */
export class Query {
  readonly values: unknown[];
  readonly order;
  /** The conditions on `m` of all that the search asks for; see isInScope() about `source`. */
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

  /** The tables that `whereJoined` needs beside `m`. */
  readonly source: string;

  readonly bind: Bind = (value, type) => `$${this.values.push(value)}::${type}`;

  isInRange = (id: string): string => `${id} ${this.order.compare} $2`;

  /** Hot texts are few, and prepared; the others are planned for their own values. */
  run<Shape extends z.ZodRawShape>(sql: Sql, text: string, shape: Shape): Promise<z.infer<z.ZodObject<Shape>>[]> {
    const isHot = this.search.narrow.conditions.length === 0;
    return sql.query(isHot ? statement(text, shape) : composed(text, shape), this.values);
  }
}
