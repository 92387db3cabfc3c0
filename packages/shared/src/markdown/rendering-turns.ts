import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { RateLimitHitError } from '../errors';

/** Whatever is rendered of a shorter text without formulas and code is done before anybody notices. */
const briefLength = 1_000;
const slowMark = /\$\$|```|~~~/;
/** An author who has so many texts waiting gets to hear it. */
const maxWaiting = 500;
const retryAfterSecs = 1;
/** So much of the time that renderings take is left to everything else, again. */
const restRatio = 1;

type Begin = () => void;

/**
 * Lets long renderings follow one another, each author's in turn, with a rest in between: whoever sends one hard message after the
 * other waits for themselves, while other requests of the process go on.
 */
export class RenderingTurns {
  private readonly waiting = new Map<number, Begin[]>();
  private isBusy = false;

  /** Texts that wait for their turn. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((sum, turns) => sum + turns.length, 0);
  }

  /** Brief texts are rendered at once. Throws RateLimitHitError when too many of the author's are waiting. */
  async run<T>(authorId: number, content: string, render: () => T): Promise<T> {
    if (content.length <= briefLength && !slowMark.test(content)) return render();
    await new Promise<void>((begin) => this.enqueue(authorId, begin));
    const startMs = performance.now();
    try {
      return render();
    } finally {
      void this.rest(performance.now() - startMs);
    }
  }

  private enqueue(authorId: number, begin: Begin): void {
    const turns = this.waiting.get(authorId);
    if (turns && turns.length >= maxWaiting) throw new RateLimitHitError(retryAfterSecs);
    if (turns) turns.push(begin);
    else this.waiting.set(authorId, [begin]);
    if (!this.isBusy) this.next();
  }

  private next(): void {
    const [authorId, turns = []] = this.waiting.entries().next().value ?? [];
    const begin = turns.shift();
    this.isBusy = begin !== undefined;
    if (authorId === undefined || !begin) return;
    // Whoever has had their turn comes after all others.
    this.waiting.delete(authorId);
    if (turns.length > 0) this.waiting.set(authorId, turns);
    begin();
  }

  private async rest(tookMs: number): Promise<void> {
    const restMs = Math.floor(tookMs * restRatio);
    await (restMs > 0 ? sleep(restMs) : endOfTurn());
    this.next();
  }
}
