import { composed, type Sql, statement } from '@parley/shared/db';
import type { z } from 'zod';
import type { Reader } from '../access/permissions';
import { isInChannels, isInConversations, isUnread } from '../narrows/conditions.sql';
import { type Bind, type Condition, idsOf, type Narrow } from '../narrows/narrow';
import { isInScope, type ScopeSql } from '../narrows/scope.sql';

/** Towards older messages, or towards newer ones. */
export type Direction = 'before' | 'after';

const ORDER = {
  before: { compare: '<=', sort: 'desc', back: 'asc', unread: 'toId' },
  after: { compare: '>=', sort: 'asc', back: 'desc', unread: 'fromId' },
} as const;

/**
 * SQL for a walk, by the order of ids: the ids that its step `w` spans, the first one of the next step, the function that gives the later of two places to begin
 * at, and the comparison of a step's beginning with the end of the walk.
 */
export const ONWARD = {
  desc: {
    ...{ low: 'w.next_id - w.span + 1', high: 'w.next_id', next: 'w.next_id - w.span' },
    ...{ nearEnd: 'least', isBefore: '>=' },
  },
  asc: {
    ...{ low: 'w.next_id', high: 'w.next_id + w.span - 1', next: 'w.next_id + w.span' },
    ...{ nearEnd: 'greatest', isBefore: '<=' },
  },
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

/** A range in a statement. */
export interface Side {
  order: (typeof ORDER)[Direction];
  /** SQL: a condition on an id, itself SQL. */
  isInRange(id: string): string;
  /** SQL: where it begins, and how many are wanted. */
  fromId: string;
  limit: string;
}

/** A search of a reader. */
export interface Search {
  reader: Reader;
  narrow: Narrow;
}

/** A statement being built: `$1` is the organization, `$2` the first id, `$3` the limit. */
export class Query implements Side {
  readonly values: unknown[];
  readonly fromId = '$2';
  readonly limit = '$3';
  readonly order;
  readonly isInRange: Side['isInRange'];
  /** Conditions of the search on `m`, beside its scope, where each of its conversations is read by itself. */
  readonly othersInPlace: readonly string[];
  #scope: ScopeSql | undefined;
  #firstId: string | undefined;
  /** A list is bound once: several parts of a statement use it. */
  readonly #lists = new Map<unknown, string>();

  constructor(
    readonly search: Search,
    readonly range: Range,
    { isUnreadKnown = false, known }: { isUnreadKnown?: boolean; known?: Condition | undefined } = {},
  ) {
    this.values = [range.realmId, range.fromId, range.limit];
    const { narrow, reader } = search;
    const side = sideOf(range.direction, this);
    this.order = side.order;
    // An index is followed to the last message in the range, if none matches.
    this.isInRange =
      range.direction === 'before' && narrow.firstId > 0
        ? (id: string) => `${side.isInRange(id)} and ${id} >= ${this.firstId}`
        : side.isInRange;
    this.othersInPlace = [
      ...(narrow.messageIds ? [`m.id = any(${this.bind(narrow.messageIds, 'bigint[]')})`] : []),
      ...(narrow.channelIds ? [isInChannels(narrow.channelIds)(this.bind)] : []),
      ...narrow.conditions.filter((condition) => condition !== known).map((condition) => condition(this.bind)),
      ...(narrow.isUnread && !isUnreadKnown ? [isUnread(reader)(this.bind)] : []),
    ];
  }

  /** The same for messages of any conversation. */
  get #others(): readonly string[] {
    const { conversations } = this.search.narrow;
    return [...(conversations ? [isInConversations(idsOf(conversations))(this.bind)] : []), ...this.othersInPlace];
  }

  /** SQL: where a search towards older messages ends. */
  get firstId(): string {
    this.#firstId ??= this.bind(this.search.narrow.firstId, 'bigint');
    return this.#firstId;
  }

  /** The condition of the search's scope on `m`. */
  get scope(): string {
    return this.#scopeSql.alone;
  }

  /** All conditions of the search on `m`. */
  get where(): string {
    return [this.scope, ...this.#others].join(' and ');
  }

  /** The same where each conversation of the search is read by itself. */
  get whereInPlace(): string {
    return [this.scope, ...this.othersInPlace].join(' and ');
  }

  /** The same, where `m` is joined with `source`. */
  get whereJoined(): string {
    return [this.#scopeSql.joined, ...this.#others].join(' and ');
  }

  get source(): string {
    return this.#scopeSql.source;
  }

  /** Values are bound only where a statement uses them. */
  get #scopeSql(): ScopeSql {
    this.#scope ??= isInScope(this.search, this.bind);
    return this.#scope;
  }

  readonly bind: Bind = (value, type) => {
    const known = this.#lists.get(value);
    if (known) return known;
    const name = `$${this.values.push(value)}::${type}`;
    if (Array.isArray(value)) this.#lists.set(value, name);
    return name;
  };

  get #isHot(): boolean {
    return this.search.narrow.conditions.length === 0;
  }

  /** Another range of the same search, for the same statement. */
  sideOf({ direction, fromId, limit }: Range): Side {
    return sideOf(direction, { fromId: this.bind(fromId, 'bigint'), limit: this.bind(limit, 'bigint') });
  }

  /** Frequent texts are few, and prepared; the others are planned for their values. */
  run<Shape extends z.ZodRawShape>(sql: Sql, text: string, shape: Shape): Promise<z.infer<z.ZodObject<Shape>>[]> {
    return sql.query(this.#isHot ? statement(text, shape) : composed(text, shape), this.values);
  }
}

function sideOf(direction: Direction, { fromId, limit }: Pick<Side, 'fromId' | 'limit'>): Side {
  const order = ORDER[direction];
  return { order, fromId, limit, isInRange: (id) => `${id} ${order.compare} ${fromId}` };
}
