import type { Throughput } from './measure';

/** Runs a benchmark and exits with its exit code. */
export function runBench(main: () => Promise<void>): void {
  main().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
}

/** The items whose names contain one of the words after the command; all without words. */
export function chosen<Named extends { name: string }>(all: readonly Named[]): Named[] {
  const words = process.argv.slice(2);
  return all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}

/** Prints a line, by default with an empty one before it. */
export function print(line: string, before = '\n'): void {
  process.stdout.write(`${before}${line}\n`);
}

/** Prints a throughput, with a name before and a remark after it. */
export function row(name: string, { perSecond, p50Ms, p99Ms }: Throughput, remark = ''): void {
  const rate = `${Math.round(perSecond)}/s`.padStart(9);
  print(`  ${name.padEnd(44)} ${rate}  p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  ${remark}`, '');
}

export const ms = (value: number) => `${value.toFixed(2)} ms`.padStart(10);
export const ratio = (value: number) => `${value.toFixed(2)} ×`;
