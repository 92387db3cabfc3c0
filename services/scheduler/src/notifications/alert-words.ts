import { VersionedMemory } from '@parley/shared/batch';
import type { AlertWordsOfRealm, KnownAlertWords } from '@parley/shared/proto';
import type { Clock } from '@parley/shared/values';
import { AlertIndex } from './alert-index';

const MAX_BYTES = 64 * 1024 ** 2;
const NOTHING = new AlertIndex([]);

/** The alert words of organizations, cached with the version that realm gave them. */
export class AlertWords {
  readonly #memory: VersionedMemory<AlertIndex>;

  constructor(clock: Clock) {
    this.#memory = new VersionedMemory(clock, MAX_BYTES);
  }

  /** The cached words and their version; none before the first answer of realm. */
  of(realmId: number): { known: KnownAlertWords; index: AlertIndex } {
    const entry = this.#memory.recall(String(realmId));
    return { known: { realmId, version: entry?.version ?? '' }, index: entry?.value ?? NOTHING };
  }

  /** Caches words that realm has sent because their version was not the cached one. */
  adopt({ realmId, version, words }: AlertWordsOfRealm): AlertIndex {
    const index = new AlertIndex(words);
    this.#memory.keep(String(realmId), version, index, index.bytes);
    return index;
  }
}
