/** A name as it is compared: without case and accents, its words separated by single spaces. */
export function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[\s\-_.()/]+/gu, ' ');
}

/** Something that is found by its name. */
export interface Named<Item> {
  item: Item;
  folded: string;
  /** A second text to be found by, e.g. an address. */
  other: string;
}

/** Made once, so that a keystroke compares only. */
export function indexNames<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  otherOf?: (item: Item) => string,
) {
  return items.map(
    (item): Named<Item> => ({ item, folded: fold(nameOf(item)), other: otherOf ? fold(otherOf(item)) : '' }),
  );
}

/** An index of thousands, in order, that follows small changes: only who is new or has another name is folded and moved. */
export class SortedNames<Item extends object> {
  #known = new Map<Item, { texts: string; named: Named<Item> }>();
  #sorted: readonly Named<Item>[] = [];

  constructor(
    private readonly nameOf: (item: Item) => string,
    private readonly otherOf: (item: Item) => string,
  ) {}

  of(items: readonly Item[]): readonly Named<Item>[] {
    const known = new Map(items.map((item) => [item, this.#entryOf(item)]));
    const left = new Set([...known.values()].map(({ named }) => named));
    // What is nearly sorted takes few comparisons.
    const before = this.#sorted.filter((named) => left.delete(named));
    this.#known = known;
    this.#sorted = sorted([...before, ...left]);
    return this.#sorted;
  }

  #entryOf(item: Item): { texts: string; named: Named<Item> } {
    const texts = `${this.nameOf(item)}\n${this.otherOf(item)}`;
    const before = this.#known.get(item);
    if (before?.texts === texts) return before;
    const [named] = indexNames([item], this.nameOf, this.otherOf) as [Named<Item>];
    return { texts, named };
  }
}

/** 0: the name begins with the query, 1: a word of it does, 2: the other text does, 3: it is within the name; -1: not found. */
export function rankOf({ folded, other }: Omit<Named<unknown>, 'item'>, query: string, word = ` ${query}`): number {
  const at = folded.indexOf(query);
  if (at === 0) return 0;
  if (at > 0 && (folded[at - 1] === ' ' || folded.includes(word))) return 1;
  if (other.startsWith(query)) return 2;
  return at > 0 ? 3 : -1;
}

interface Found<Item> {
  named: Named<Item>;
  score: number;
}

/** Larger than all weights. */
const RANK = 1_000_000;

/** For `NameSearch`. */
export const sorted = <Item>(index: readonly Named<Item>[]) =>
  [...index].sort((a, b) => Number(isNameBefore(b, a)) - Number(isNameBefore(a, b)));

/** Finds names while a query is typed: a query that continues the former one is looked for in what that one found. */
export class NameSearch<Item> {
  #index: readonly Named<Item>[] = [];
  #wanted = '';
  #found: readonly Named<Item>[] = [];

  /** The names among which the `most` best for a query are. `index` is sorted. */
  matching(index: readonly Named<Item>[], query: string, most: number): readonly Named<Item>[] {
    const wanted = wantedIn(query);
    const first = beginningWith(index, wanted);
    // No others are better.
    if (first.length >= most) return first;
    const isContinued = index === this.#index && wanted.startsWith(this.#wanted);
    const former = isContinued ? this.#found : index;
    // A single letter is in most names.
    this.#found = wanted.length < 2 ? index : former.filter((named) => rankOf(named, wanted) >= 0);
    this.#index = index;
    this.#wanted = wanted;
    return this.#found;
  }
}

/** Found by halves. */
function beginningWith<Item>(index: readonly Named<Item>[], wanted: string): readonly Named<Item>[] {
  if (wanted === '') return index;
  let [from, to] = [0, index.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((index[middle] as Named<Item>).folded < wanted) from = middle + 1;
    else to = middle;
  }
  while (to < index.length && (index[to] as Named<Item>).folded.startsWith(wanted)) to += 1;
  return index.slice(from, to);
}

const wantedIn = (query: string) => fold(query).trimStart();

/** The best `most` for a query: by rank, then by weight (small ones first), then by name. */
export function best<Item>(
  index: readonly Named<Item>[],
  query: string,
  most: number,
  weightOf: (item: Item) => number,
): Item[] {
  const wanted = wantedIn(query);
  const word = ` ${wanted}`;
  const found: Found<Item>[] = [];
  let worst = Number.POSITIVE_INFINITY;
  for (const named of index) {
    // With enough names that begin so, no others can be among the best: not looked for within 20,000 names.
    const isOnlyFirst = worst < RANK;
    if (isOnlyFirst && !named.folded.startsWith(wanted)) continue;
    const rank = isOnlyFirst ? 0 : rankOf(named, wanted, word);
    if (rank < 0 || rank * RANK > worst) continue;
    const score = rank * RANK + weightOf(named.item);
    if (score > worst) continue;
    insert(found, { named, score }, most);
    if (found.length === most) worst = found[most - 1]?.score ?? worst;
  }
  return found.map(({ named }) => named.item);
}

/** Into a short sorted list: cheaper than to sort thousands. */
function insert<Item>(found: Found<Item>[], added: Found<Item>, most: number): void {
  const last = found[most - 1];
  if (last && !isBefore(added, last)) return;
  let at = found.length;
  while (at > 0 && isBefore(added, found[at - 1] as Found<Item>)) at -= 1;
  found.splice(at, 0, added);
  if (found.length > most) found.pop();
}

function isBefore<Item>(a: Found<Item>, b: Found<Item>): boolean {
  return a.score === b.score ? isNameBefore(a.named, b.named) : a.score < b.score;
}

const isNameBefore = (a: Named<unknown>, b: Named<unknown>) => a.folded < b.folded;
