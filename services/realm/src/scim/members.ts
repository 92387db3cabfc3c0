import { parse } from 'scim2-parse-filter';
import { type Document, isObject } from './attributes';
import type { Operation } from './patch';
import { invalidValue, scimError } from './scim-error';

const MAX_MEMBERS = 20_000;

/** A change of a group's members, by their ids. */
export interface MembersChange {
  /** The members are these and `added`; null: the present ones. */
  replaced: ReadonlySet<number> | null;
  added: ReadonlySet<number>;
  removed: ReadonlySet<number>;
}

/** The ids of a list of members; doubled ones count once. */
export function memberIdsFromInput(value: unknown): Set<number> {
  if (value === null || value === undefined) return new Set();
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > MAX_MEMBERS) throw invalidValue(`Too many members (limit: ${MAX_MEMBERS})`);
  return new Set(items.map((item) => idOf(isObject(item) ? (item as Document)['value'] : item)));
}

function idOf(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw invalidValue('A member is not the id of a user');
  return Number(text);
}

/** The combined effect of operations on `members`, without loading the present members, which may be many. */
export function membersChange(operations: readonly Operation[]): MembersChange {
  let replaced: Set<number> | null = null;
  const added = new Set<number>();
  const removed = new Set<number>();
  for (const operation of operations) {
    const ids = idsOf(operation);
    if (ids === null || operation.verb === 'replace') {
      replaced = ids ?? new Set();
      added.clear();
      removed.clear();
    } else {
      const [into, outOf] = operation.verb === 'add' ? [added, removed] : [removed, added];
      for (const id of ids) {
        into.add(id);
        outOf.delete(id);
        if (operation.verb === 'remove') replaced?.delete(id);
      }
    }
  }
  return { replaced, added, removed };
}

/** Null: all members. */
function idsOf({ verb, path: { condition }, value }: Operation): Set<number> | null {
  if (condition === null) {
    return verb === 'remove' && (value === null || value === undefined) ? null : memberIdsFromInput(value);
  }
  if (verb !== 'remove') throw scimError(400, 'invalidPath', 'A condition on members can only be used to remove them');
  return new Set([idOf(comparedValue(condition))]);
}

/** The id in `value eq "5"`. */
function comparedValue(condition: string): unknown {
  try {
    const filter = parse(condition);
    if (filter.op === 'eq' && 'compValue' in filter && filter.attrPath.toLowerCase() === 'value')
      return filter.compValue;
  } catch {}
  throw scimError(400, 'invalidPath', 'Members are named by their value: members[value eq "5"]');
}
