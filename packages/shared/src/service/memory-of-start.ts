import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_EVERY_MS = 10_000;
/** Share of the time between two checks in which the event loop may have been busy. */
const CALM = 0.05;

type CollectGarbage = (options?: { type: 'minor' }) => void;

/**
 * Collects all garbage once, when the process is calm for the first time, 20 seconds after its start or later: what loading left
 * behind, 35 to 55 MB, would otherwise stay resident as long as it is not used. It takes 20 to 35 ms.
 */
export function freeMemoryOfStart(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as CollectGarbage;
  let before: EventLoopUtilization | undefined;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isCalm = before !== undefined && performance.eventLoopUtilization(now, before).utilization < CALM;
    before = now;
    // V8 shrinks the space for new objects if little was allocated since the collection before.
    if (!isCalm) return collectGarbage({ type: 'minor' });
    clearInterval(timer);
    collectGarbage();
    // Gives emptied pages back to the system.
    collectGarbage({ type: 'minor' });
  }, CHECK_EVERY_MS).unref();
}
