import { type Compare, type Filter, parse } from 'scim2-parse-filter';
import type { Kind } from './attributes';
import { scimError } from './scim-error';

/** A condition of SQL on the rows of a list; `$1` is the organization, its own values follow. */
export interface Condition {
  where: string;
  values: unknown[];
  /** One comparison: there are few such texts. */
  isSimple: boolean;
}

export const EVERYTHING: Condition = { where: 'true', values: [], isSimple: true };

const MAX_LENGTH = 2_000;
const MAX_COMPARISONS = 50;

/** An attribute in SQL: an expression, or rows that have the value. */
interface Column {
  type: 'text' | 'exact' | 'truth';
  sql: string;
  /** A faster condition for equality with the value `$n`. */
  equals?: (value: string) => string;
}

// NOTE: arrays, so that the planner looks for these few accounts: without statistics it would compare all of them with each.
const BY_USER_NAME = (value: string) => `u.id = any(array(
  select n.user_id from scim_user n where n.realm_id = $1 and n.user_name_key = ${value}
  union all
  select a.id from user_account a where a.realm_id = $1 and lower(a.delivery_email) = ${value}
    and not exists (select from scim_user n where n.realm_id = a.realm_id and n.user_id = a.id)))`;

const ADDRESS: Column = {
  type: 'text',
  sql: 'u.delivery_email',
  equals: (value) => `lower(u.delivery_email) = ${value}`,
};

const COLUMNS: Readonly<Record<Kind, Readonly<Record<string, Column>>>> = {
  User: {
    id: { type: 'exact', sql: 'u.id::text', equals: (value) => `u.id = ${numberOf(value)}` },
    username: { type: 'text', sql: 'coalesce(s.user_name, u.delivery_email)', equals: BY_USER_NAME },
    externalid: {
      type: 'exact',
      sql: 's.external_id',
      equals: (value) =>
        `u.id = any(array(select n.user_id from scim_user n where n.realm_id = $1 and n.external_id = ${value}))`,
    },
    displayname: { type: 'text', sql: 'u.full_name' },
    'name.formatted': { type: 'text', sql: 'u.full_name' },
    'name.givenname': { type: 'text', sql: 's.given_name' },
    'name.familyname': { type: 'text', sql: 's.family_name' },
    emails: ADDRESS,
    'emails.value': ADDRESS,
    'emails.type': { type: 'text', sql: `'work'` },
    'emails.primary': { type: 'truth', sql: 'coalesce(s.email_is_primary, true)' },
    active: { type: 'truth', sql: 'u.is_active' },
    'meta.resourcetype': { type: 'text', sql: `'User'` },
  },
  Group: {
    id: { type: 'exact', sql: 'g.id::text', equals: (value) => `g.id = ${numberOf(value)}` },
    externalid: {
      type: 'exact',
      sql: 's.external_id',
      equals: (value) =>
        `g.id = any(array(select n.group_id from scim_group n where n.realm_id = $1 and n.external_id = ${value}))`,
    },
    displayname: { type: 'text', sql: 'g.name', equals: (value) => `g.name_key = ${value}` },
    'meta.resourcetype': { type: 'text', sql: `'Group'` },
  },
};

/** Lists of references: only who is among them can be asked. */
const REFERENCES: Readonly<Record<Kind, Readonly<Record<string, (value: string) => string>>>> = {
  User: { groups: isInGroup, 'groups.value': isInGroup },
  Group: { members: hasMember, 'members.value': hasMember },
};

function isInGroup(value: string): string {
  return `exists (select from user_group_member m where m.realm_id = u.realm_id and m.user_id = u.id and m.group_id = ${numberOf(value)})`;
}

function hasMember(value: string): string {
  return `exists (select from user_group_member m where m.realm_id = g.realm_id and m.group_id = g.id and m.user_id = ${numberOf(value)})`;
}

/** SQL: a text as an id, or null. */
function numberOf(value: string): string {
  return `(case when ${value} ~ '^[0-9]{1,15}$' then ${value}::bigint end)`;
}

/** The condition of a filter (RFC 7644, section 3.4.2.2). */
export function conditionOf(kind: Kind, filter: string | undefined): Condition {
  if (filter === undefined || filter.trim() === '') return EVERYTHING;
  if (filter.length > MAX_LENGTH) throw invalidFilter(`The filter is too long (limit: ${MAX_LENGTH} characters)`);
  if (filter.includes('\0')) throw invalidFilter('The filter has a null byte');
  const parsed = parsedFilter(filter);
  const writer = new Writer(kind);
  const where = writer.write(parsed, '');
  return { where, values: writer.values, isSimple: !('filters' in parsed || 'filter' in parsed) };
}

function parsedFilter(filter: string): Filter {
  try {
    return parse(filter);
  } catch {
    throw invalidFilter('The filter cannot be read');
  }
}

function invalidFilter(detail: string) {
  return scimError(400, 'invalidFilter', detail);
}

const ORDERS: Readonly<Record<string, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' };

/** Writes SQL; values become its parameters. */
class Writer {
  readonly values: unknown[] = [];
  #comparisons = 0;

  constructor(private readonly kind: Kind) {}

  write(filter: Filter, around: string): string {
    this.#comparisons += 1;
    if (this.#comparisons > MAX_COMPARISONS) throw invalidFilter(`Too many conditions (limit: ${MAX_COMPARISONS})`);
    switch (filter.op) {
      case 'and':
      case 'or':
        return `(${filter.filters.map((each) => this.write(each, around)).join(` ${filter.op} `)})`;
      case 'not':
        return `not coalesce(${this.write(filter.filter, around)}, false)`;
      case '[]':
        return this.write(filter.valFilter, `${nameOf(filter.attrPath)}.`);
      case 'pr':
        return this.#present(around + nameOf(filter.attrPath));
      default:
        return this.#compare(around + nameOf((filter as Compare).attrPath), filter as Compare);
    }
  }

  #present(name: string): string {
    const isReference = Object.hasOwn(REFERENCES[this.kind], name);
    if (isReference) throw invalidFilter(`${name} can only be compared with eq`);
    return `${this.#column(name).sql} is not null`;
  }

  #compare(name: string, { op, compValue }: Compare): string {
    const reference = Object.hasOwn(REFERENCES[this.kind], name) ? REFERENCES[this.kind][name] : undefined;
    if (reference !== undefined) {
      if (op !== 'eq') throw invalidFilter(`${name} can only be compared with eq`);
      return reference(this.#parameter(String(compValue)));
    }
    const column = this.#column(name);
    if (compValue === null) return this.#compareNull(column, op);
    return column.type === 'truth'
      ? this.#compareTruth(column, op, compValue)
      : this.#compareText(column, op, compValue);
  }

  #column(name: string): Column {
    const columns = COLUMNS[this.kind];
    if (!Object.hasOwn(columns, name)) throw invalidFilter(`There is no filter on "${name.slice(0, 100)}"`);
    return columns[name] as Column;
  }

  #compareNull({ sql }: Column, op: string): string {
    if (op !== 'eq' && op !== 'ne') throw invalidFilter('null can only be compared with eq and ne');
    return op === 'eq' ? `${sql} is null` : `${sql} is not null`;
  }

  #compareTruth({ sql }: Column, op: string, value: unknown): string {
    const word = String(value).toLowerCase();
    if ((op !== 'eq' && op !== 'ne') || (word !== 'true' && word !== 'false')) {
      throw invalidFilter('true and false can only be compared with eq and ne');
    }
    return `(${sql}) = ${(word === 'true') === (op === 'eq')}`;
  }

  #compareText({ type, sql, equals }: Column, op: string, value: unknown): string {
    const isExact = type === 'exact';
    const text = isExact ? String(value) : String(value).toLowerCase();
    const parameter = this.#parameter(text);
    if (op === 'eq' && equals) return equals(parameter);
    const left = isExact ? sql : `lower(${sql})`;
    if (op === 'eq') return `${left} = ${parameter}`;
    if (op === 'ne') return `${left} is distinct from ${parameter}`;
    if (op === 'co') return `position(${parameter} in ${left}) > 0`;
    if (op === 'sw') return `starts_with(${left}, ${parameter})`;
    if (op === 'ew') return `right(${left}, length(${parameter})) = ${parameter}`;
    return `${left} collate "C" ${ORDERS[op]} ${parameter}`;
  }

  #parameter(value: string): string {
    this.values.push(value);
    return `$${this.values.length + 1}::text`;
  }
}

/** Without the schema, in lower case. */
function nameOf(path: string): string {
  return path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/i, '').toLowerCase();
}
