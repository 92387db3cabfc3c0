import { VersionedMemory } from '@parley/shared/batch';
import type { AlertWordsOfRealm, KnownAlertWords } from '@parley/shared/proto';
import type { Clock } from '@parley/shared/values';
import { AlertIndex } from './alert-index';

const MAX_BYTES = 64 * 1024 ** 2;
const NOTHING = new AlertIndex([]);

/** What realm is told of the words that are known, and these. */
export interface KnownWords {
  known: KnownAlertWords;
  index: AlertIndex;
}

/** The alert words of organizations, cached with the version that realm gave them. */
export class AlertWords {
  readonly #memory: VersionedMemory<AlertIndex>;

  constructor(clock: Clock) {
    this.#memory = new VersionedMemory(clock, MAX_BYTES);
  }

  /** The cached words and their version; none before the first answer of realm. */
  of(realmId: number): KnownWords {
    const entry = this.#memory.recall(String(realmId));
    const known = { realmId, version: entry?.version ?? '', takesChanges: true };
    return { known, index: entry?.value ?? NOTHING };
  }

  /** Caches words that realm has sent because their version was not the known one, or what has changed since that. */
  adopt({ realmId, version, words, isChange, changedUserIds }: AlertWordsOfRealm, known: KnownWords): AlertIndex {
    const index = isChange ? known.index.replaced(changedUserIds, words) : new AlertIndex(words);
    this.#memory.keep(String(realmId), version, index, index.bytes);
    return index;
  }
}
