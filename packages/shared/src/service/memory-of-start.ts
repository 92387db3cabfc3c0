import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { collectGarbage } from './collect-garbage';

const CHECK_EVERY_MS = 10_000;
/** Share of the time between two checks in which the event loop may have been busy. */
const CALM = 0.05;

/**
 * Gives back what loading left behind, 35 to 55 MB, which would otherwise stay resident as long as it is not used: when the process
 * is calm for the first time, 20 seconds after its start or later, all garbage is collected. Then V8 knows which pages are sparsely
 * used, and the second collection, ten seconds later or more, moves their objects together. Each takes 20 to 35 ms.
 */
export function freeMemoryOfStart(): void {
  const collections = [() => collectGarbage(), collectAndMove];
  let before: EventLoopUtilization | undefined;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isCalm = before !== undefined && performance.eventLoopUtilization(now, before).utilization < CALM;
    before = now;
    if (isCalm) collections.shift()?.();
    // V8 shrinks the space for new objects if little was allocated since the collection before, and gives emptied pages back.
    collectGarbage({ type: 'minor' });
    if (collections.length === 0) clearInterval(timer);
  }, CHECK_EVERY_MS).unref();
}

/** Otherwise V8 moves objects only from pages that are nearly empty. */
function collectAndMove(): void {
  setFlagsFromString('--optimize-for-size');
  collectGarbage();
  setFlagsFromString('--no-optimize-for-size');
}
