import type { TestClient } from '../../../src';

type Owned = [TestClient, number];

/** The things added, by kind, with their ids and owners. */
export class AddedThings {
  readonly #added = new Map<string, Owned[]>();

  constructor(private readonly pick: (below: number) => number) {}

  count(what: string): number {
    return this.#of(what).length;
  }

  oldest(what: string): number | undefined {
    return this.#of(what).at(0)?.[1];
  }

  newest(what: string): number | undefined {
    return this.#of(what).at(-1)?.[1];
  }

  async keep(what: string, who: TestClient, add: () => Promise<number>): Promise<void> {
    this.#of(what).push([who, await add()]);
  }

  async change(what: string, change: (who: TestClient, id: number) => Promise<unknown>): Promise<void> {
    const kept = this.#of(what);
    const found = kept[this.pick(kept.length)];
    if (!found) throw new Error(`there is no ${what}`);
    await change(...found);
  }

  /** Some stay, so that there is always something to change. */
  async remove(what: string, remove: (who: TestClient, id: number) => Promise<unknown>): Promise<void> {
    const kept = this.#of(what);
    const [found] = kept.length > 1 ? kept.splice(0, 1) : [];
    if (!found) throw new Error(`there is no ${what}`);
    await remove(...found);
  }

  #of(what: string): Owned[] {
    const kept = this.#added.get(what) ?? [];
    this.#added.set(what, kept);
    return kept;
  }
}
