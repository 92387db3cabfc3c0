import type { LoadResult } from './load';

export function print(line: string, before = '\n'): void {
  process.stdout.write(`${before}${line}\n`);
}

export function row(name: string, { perSecond, p50Ms, p99Ms }: LoadResult, remark = ''): void {
  const rate = `${Math.round(perSecond)}/s`.padStart(9);
  print(`  ${name.padEnd(44)} ${rate}  p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  ${remark}`, '');
}

export const ms = (value: number) => `${value.toFixed(2)} ms`.padStart(10);
export const ratio = (value: number) => `${value.toFixed(2)} ×`;

/** Runs a benchmark as a process: its end is the exit code. */
export function runBench(main: () => Promise<void>): void {
  main().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
}
