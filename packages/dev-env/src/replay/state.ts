/** A client's state: the members of the answer to POST /register. Rules change a copy of it in place. */
export type State = Record<string, unknown>;

export type Item = Record<string, unknown>;

/** A list of the state; an empty one when the state has none yet. */
export function listOf(state: State, name: string): Item[] {
  state[name] ??= [];
  return state[name] as Item[];
}

/** A map of the state by id. */
export function mapOf(state: State, name: string): Record<string, Item> {
  state[name] ??= {};
  return state[name] as Record<string, Item>;
}

/** Puts an item in the place of the one with the same id, or at the end. */
export function put(list: Item[], idName: string, item: Item): void {
  const index = list.findIndex((other) => other[idName] === item[idName]);
  if (index < 0) list.push(item);
  else list[index] = item;
}

/** Takes out the items with these ids, and gives them. */
export function take(list: Item[], idName: string, ids: readonly unknown[]): Item[] {
  const taken = list.filter((item) => ids.includes(item[idName]));
  list.splice(0, list.length, ...list.filter((item) => !ids.includes(item[idName])));
  return taken;
}

/** Changes the item with this id, if there is one. */
export function change(list: Item[], idName: string, id: unknown, changes: Item): void {
  const found = list.find((item) => item[idName] === id);
  if (found) Object.assign(found, changes);
}

/** Adds numbers to a list that is a set. */
export function include(ids: number[], added: readonly number[]): void {
  for (const id of added) if (!ids.includes(id)) ids.push(id);
}

/** Takes numbers out of a list that is a set. */
export function exclude(ids: number[], removed: readonly number[]): void {
  ids.splice(0, ids.length, ...ids.filter((id) => !removed.includes(id)));
}
