import type { ServiceName } from '../proto';
import type { Implementation } from '../rpc';
import type { Clock } from '../values';

export interface FakeClock extends Clock {
  /** Advances the time and runs due tasks, in order. */
  advance(ms: number): void;
}

/** A clock that advances on command only. */
export function createFakeClock(startMs = Date.parse('2030-01-01T00:00:00Z')): FakeClock {
  let now = startMs;
  const tasks = new Set<{ at: number; task: () => void }>();
  return {
    now: () => now,
    after(delayMs, task) {
      const entry = { at: now + delayMs, task };
      tasks.add(entry);
      return () => tasks.delete(entry);
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const next = [...tasks].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        tasks.delete(next);
        now = Math.max(now, next.at);
        next.task();
      }
      now = until;
    },
  };
}

const unexpected = () => Promise.reject(new Error('not part of this test'));

/** A substitute for a service, which answers these methods and refuses all others. */
export function answerOnly<S extends ServiceName>(answers: Partial<Implementation<S>>): Implementation<S> {
  return new Proxy(answers, {
    get: (known, name) => known[name as keyof typeof known] ?? unexpected,
  }) as unknown as Implementation<S>;
}
