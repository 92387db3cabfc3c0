import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestNetwork } from '../src';

/** Resolves once so many polls wait in the events pod of this process. */
export async function untilPollsWait(network: TestNetwork, count: number): Promise<void> {
  while (network.replicas.events[0]?.service?.counters?.parkedPolls !== count) await nextTurn();
}
