import { type Durations, OPERATIONS } from './figures';
import type { LoadReport } from './run-load';

const NAME_WIDTH = 16;

/** The end of a run, for people. */
export function presentLoad({ users, seconds, figures, verdict, ownDelayMs }: LoadReport): string {
  const rows = OPERATIONS.map((operation) => row(operation, figures.of(operation)));
  const errors = Object.entries(figures.errors).map(([kind, count]) => `  ${count} × ${kind}\n`);
  return [
    `${users} users for ${seconds} s\n`,
    `  ${''.padEnd(NAME_WIDTH)}${['count', 'average', 'p50', 'p99'].map((head) => head.padStart(12)).join('')}\n`,
    ...rows,
    row('all but polls', figures.awaited),
    `  this tool itself was up to ${ownDelayMs.toFixed(0)} ms late (p99)\n`,
    `errors: ${figures.errorCount} of ${figures.requests} requests\n`,
    ...errors,
    verdict.holds ? 'holds\n' : `does not hold: ${verdict.reasons.join('; ')}\n`,
  ].join('');
}

/** The same in one line. */
export function loadAsJson({ users, seconds, figures, verdict, ownDelayMs }: LoadReport): string {
  const operations = Object.fromEntries(OPERATIONS.map((operation) => [operation, figures.of(operation)]));
  const { awaited, requests, errors } = figures;
  return `${JSON.stringify({ users, seconds, operations, awaited, requests, errors, ownDelayMs, ...verdict })}\n`;
}

function row(name: string, { count, averageMs, p50Ms, p99Ms }: Durations): string {
  const times = [averageMs, p50Ms, p99Ms].map((ms) => `${ms.toFixed(1)} ms`.padStart(12));
  return `  ${name.padEnd(NAME_WIDTH)}${String(count).padStart(12)}${times.join('')}\n`;
}
