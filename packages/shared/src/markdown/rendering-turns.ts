import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { RateLimitHitError } from '../errors';
import { isCostly, prepareRenderer } from './prepare-renderer';
import { finish, type Steps } from './render-budget';

/** A shorter text without formulas and code is rendered at once. */
const briefLength = 1_000;
/** Maximum number of waiting texts; beyond it an author's requests are refused. */
const maxWaiting = 500;
const retryAfterSecs = 1;
/** Pause after each slice, as a multiple of its duration, for other work. */
const restRatio = 1;
/** Maximum time that a rendering may block the event loop. */
const sliceMs = 10;

type Begin = () => void;

/**
 * Runs long renderings one after the other, authors in turn, in slices with pauses: an author of many expensive messages waits
 * for their own, while other requests of the process are served.
 */
export class RenderingTurns {
  private readonly waiting = new Map<number, Begin[]>();
  private isBusy = false;

  /** Texts that wait for their turn. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((sum, turns) => sum + turns.length, 0);
  }

  /** Short texts are rendered at once. Throws RateLimitHitError if too many of the author's texts are waiting. */
  async run<T>(authorId: number, content: string, render: () => Steps<T>): Promise<T> {
    if (content.length <= briefLength && !isCostly(content)) return finish(render());
    await new Promise<void>((begin) => this.enqueue(authorId, begin));
    return this.inSlices(content, render);
  }

  /** Pauses after each slice; after the last one the author gets the result at once, and others wait. */
  private async inSlices<T>(content: string, render: () => Steps<T>): Promise<T> {
    let startMs = performance.now();
    try {
      await prepareRenderer([content]);
      const steps = render();
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
        if (performance.now() - startMs < sliceMs) continue;
        await rest(performance.now() - startMs);
        startMs = performance.now();
      }
    } finally {
      void rest(performance.now() - startMs).then(() => this.next());
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
    // An organization that has had its turn goes to the end of the queue.
    this.waiting.delete(authorId);
    if (turns.length > 0) this.waiting.set(authorId, turns);
    begin();
  }
}

function rest(tookMs: number): Promise<unknown> {
  const restMs = Math.floor(tookMs * restRatio);
  return restMs > 0 ? sleep(restMs) : endOfTurn();
}
