import { PROMISES } from './promises';
import type { FaultResult } from './run-chaos';

const FAULT_WIDTH = 20;
const WIDTH = 19;

export function presentHead(): string {
  const heads = [...PROMISES.slice(0, -1), 'fault lasted', 'longest wait', 'registered anew'];
  return `${'fault'.padEnd(FAULT_WIDTH)}${heads.map((head) => head.padEnd(WIDTH)).join('')}\n`;
}

export function presentResult({ fault, lastedMs, longestWaitMs, registeredAgain, broken }: FaultResult): string {
  const kept = PROMISES.slice(0, -1).map((promise) => {
    const count = broken.filter((each) => each.promise === promise).length;
    return count === 0 ? 'ok' : `BROKEN ${count} ×`;
  });
  const hasRecovered = !broken.some(({ promise }) => promise === 'recovers');
  const cells = [
    ...kept,
    seconds(lastedMs),
    hasRecovered ? seconds(longestWaitMs) : 'NOT RECOVERED',
    `${registeredAgain}`,
  ];
  const row = cells
    .map((cell) => cell.padEnd(WIDTH))
    .join('')
    .trimEnd();
  return `${`${fault.target} ${fault.way}`.padEnd(FAULT_WIDTH)}${row}\n`;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

const SHOWN = 20;

/** The broken promises in detail. */
export function presentBroken(results: readonly FaultResult[]): string {
  const lines = results.flatMap(({ fault, broken }) =>
    broken.slice(0, SHOWN).map(({ promise, what }) => `${fault.target} ${fault.way}: not "${promise}": ${what}\n`),
  );
  return lines.join('');
}
