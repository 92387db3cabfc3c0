import { Slices, VersionedMemory } from '@parley/shared/batch';
import type { Presence, PresenceList } from '@parley/shared/proto';
import type { Clock } from '@parley/shared/values';
import { JsonPieces } from '../http/json-pieces';
import { presenceMember } from '../wire/presence';

/** With its text for both kinds of clients. */
const PRESENCE_BYTES = 700;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The presences of organizations, of thousands of people each, while their accounts do not change: realm is asked for what has changed since. For
 * callers who see everybody.
 */
export class PresenceMemory {
  readonly #organizations: VersionedMemory<KnownPresences>;

  constructor(clock: Clock) {
    this.#organizations = new VersionedMemory(clock, MAX_BYTES);
  }

  recall(realmId: number): KnownPresences | undefined {
    return this.#organizations.recall(String(realmId))?.value;
  }

  keep(realmId: number, known: KnownPresences): void {
    this.#organizations.keep(String(realmId), known.version, known, known.size * PRESENCE_BYTES);
  }
}

/** People with near ids share a piece of the answer, which is written anew when one of them was there again. */
const PEOPLE_OF_PIECE = 128;

const [OPEN, COMMA, CLOSE] = ['{', ',', '}'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/** Those of an organization. */
export class KnownPresences {
  lastUpdateId = -1;
  size = 0;
  readonly #pieces = new Map<number, PieceOfPresences>();

  /** `version`: see PresenceList. */
  constructor(readonly version: string) {}

  /** A list of this version. Those that were asked for earlier may come later. */
  async add({ presences, lastUpdateId }: PresenceList, deadlineAt: number): Promise<void> {
    const slices = new Slices(deadlineAt);
    for (const presence of presences) {
      if (slices.isUsedUp()) await slices.endSlice();
      const nth = Math.floor(presence.userId / PEOPLE_OF_PIECE);
      const piece = this.#pieces.get(nth) ?? new PieceOfPresences();
      this.#pieces.set(nth, piece);
      if (piece.add(presence, lastUpdateId)) this.size += 1;
    }
    // Last: meanwhile others ask for all of these again.
    this.lastUpdateId = Math.max(this.lastUpdateId, lastUpdateId);
  }

  /** Of people who were connected since then. */
  async write(sinceMs: number, isSlim: boolean, deadlineAt: number): Promise<JsonPieces> {
    const slices = new Slices(deadlineAt);
    const pieces: Buffer[] = [];
    for (const piece of this.#pieces.values()) {
      if (slices.isUsedUp()) await slices.endSlice();
      const text = piece.write(sinceMs, isSlim);
      if (text.length > 0) pieces.push(pieces.length === 0 ? OPEN : COMMA, text);
    }
    return JsonPieces.shared(pieces.length === 0 ? [OPEN, CLOSE] : [...pieces, CLOSE]);
  }
}

interface WrittenPiece {
  text: Buffer;
  /** The text is the same for all times after the last one who is left out, up to the first one who is not. */
  afterMs: number;
  upToMs: number;
}

class PieceOfPresences {
  readonly #people = new Map<number, { presence: Presence; updateId: number }>();
  /** For current clients and for older ones. */
  readonly #written = new Map<boolean, WrittenPiece>();

  /** `updateId`: up to which its list has everything. Returns whether the person is new here. */
  add(presence: Presence, updateId: number): boolean {
    const known = this.#people.get(presence.userId);
    if (known && known.updateId > updateId) return false;
    this.#people.set(presence.userId, { presence, updateId });
    this.#written.clear();
    return known === undefined;
  }

  write(sinceMs: number, isSlim: boolean): Buffer {
    const known = this.#written.get(isSlim);
    if (known && known.afterMs < sinceMs && sinceMs <= known.upToMs) return known.text;
    const all = [...this.#people.values()].map(({ presence }) => presence);
    const shown = all.filter(({ connectedAtMs }) => connectedAtMs >= sinceMs);
    const hidden = all.filter(({ connectedAtMs }) => connectedAtMs < sinceMs);
    const written = {
      text: Buffer.from(shown.map((presence) => presenceMember(presence, isSlim)).join(',')),
      afterMs: Math.max(-1, ...hidden.map(({ connectedAtMs }) => connectedAtMs)),
      upToMs: Math.min(Number.POSITIVE_INFINITY, ...shown.map(({ connectedAtMs }) => connectedAtMs)),
    };
    this.#written.set(isSlim, written);
    return written.text;
  }
}
