/** A client's state: the members of the answer to POST /register. Rules change a copy of it in place. */
export type State = Record<string, unknown>;

export type Item = Record<string, unknown>;

/** A list of the state; an empty one if the state does not have it yet. */
export function listOf(state: State, name: string): Item[] {
  state[name] ??= [];
  return state[name] as Item[];
}

/** The messages that the client has fetched: none, if it fetches none. */
export function messagesOf(state: State): Item[] {
  return (state['messages'] ?? []) as Item[];
}

/** A map of the state by id. */
export function mapOf(state: State, name: string): Record<string, Item> {
  state[name] ??= {};
  return state[name] as Record<string, Item>;
}

/**
 * Added items must not exist before, and changed or removed ones must: otherwise an event came twice, or not at all. The few
 * rules that accept it say why.
 */
export class NotOneCut extends Error {}

interface Index {
  idName: string;
  length: number;
  last: Item | undefined;
  byId: Map<unknown, Item>;
}

const indexes = new WeakMap<readonly Item[], Index>();

/** Items by id, looked up again only after items were removed: lists may have tens of thousands, and events come in thousands. */
function indexOf(list: readonly Item[], idName: string): ReadonlyMap<unknown, Item> {
  let index = indexes.get(list);
  const isContinued = index && index.idName === idName && list[index.length - 1] === index.last;
  if (!index || !isContinued || list.length < index.length)
    index = { idName, length: 0, last: undefined, byId: new Map() };
  for (let at = index.length; at < list.length; at += 1) index.byId.set(list[at]?.[idName], list[at] as Item);
  index.length = list.length;
  index.last = list.at(-1);
  indexes.set(list, index);
  return index.byId;
}

/** The item with this id; undefined: there is none. */
export function known(list: readonly Item[], idName: string, id: unknown): Item | undefined {
  return indexOf(list, idName).get(id);
}

/** Adds an item that does not exist yet. */
export function add(list: Item[], idName: string, item: Item): void {
  if (known(list, idName, item[idName])) throw new NotOneCut(`${idName} ${item[idName]} is there`);
  list.push(item);
}

/** Replaces the item with the same id. */
export function replace(list: Item[], idName: string, item: Item): void {
  const index = list.findIndex((other) => other[idName] === item[idName]);
  if (index < 0) throw missing(idName, item[idName]);
  list[index] = item;
  indexes.delete(list);
}

/** Removes the items with these ids, and returns them. */
export function take(list: Item[], idName: string, ids: readonly unknown[]): Item[] {
  for (const id of ids) find(list, idName, id);
  return takeExisting(list, idName, ids);
}

/** Removes those of the items that exist. */
export function takeExisting(list: Item[], idName: string, ids: readonly unknown[]): Item[] {
  const gone = new Set(ids);
  const taken = list.filter((item) => gone.has(item[idName]));
  if (taken.length === 0) return taken;
  const kept = list.filter((item) => !gone.has(item[idName]));
  list.length = 0;
  for (const item of kept) list.push(item);
  indexes.delete(list);
  return taken;
}

export function find(list: readonly Item[], idName: string, id: unknown): Item {
  const found = known(list, idName, id);
  if (!found) throw missing(idName, id);
  return found;
}

export function change(list: Item[], idName: string, id: unknown, changes: Item): void {
  Object.assign(find(list, idName, id), changes);
}

/** Adds numbers to a list that is a set. */
export function include(ids: number[], added: readonly number[]): void {
  const known = added.filter((id) => ids.includes(id));
  if (known.length > 0) throw new NotOneCut(`${known} are in the set`);
  ids.push(...added);
}

/** Takes numbers out of a list that is a set. */
export function exclude(ids: number[], removed: readonly number[]): void {
  const unknown = removed.filter((id) => !ids.includes(id));
  if (unknown.length > 0) throw new NotOneCut(`${unknown} are not in the set`);
  ids.splice(0, ids.length, ...ids.filter((id) => !removed.includes(id)));
}

function missing(idName: string, id: unknown): NotOneCut {
  return new NotOneCut(`there is no ${idName} ${id}`);
}
