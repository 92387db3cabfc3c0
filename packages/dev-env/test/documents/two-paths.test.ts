import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const PICTURE = /```mermaid\nsequenceDiagram\n([\s\S]*?)```/g;
const FUNCTION = /^ *Note over (\w+): (\w+), (\S+)$/;
const CALL = /^ *(\w+)->>(\w+): ([A-Z]\w+)$/;
const SERVICES = ['gateway', 'messages', 'realm', 'invites', 'scheduler', 'events'];

interface Step {
  name: string;
  file: string;
}

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const pictures = [...textOf('ARCHITECTURE.md').matchAll(PICTURE)].map(([, lines]) => (lines as string).split('\n'));

function stepOf(line: string): Step | undefined {
  const [, service, name, file] = FUNCTION.exec(line) ?? [];
  if (!service || !name || !file) return undefined;
  const source = file.startsWith('shared/')
    ? `packages/shared/src/${file.slice(7)}`
    : `services/${service}/src/${file}`;
  return { name, file: source };
}

/** The path as drawn: steps, with an empty place wherever an arrow leads somewhere else. */
const stepsOf = (lines: readonly string[]) => lines.map(stepOf);

function isDeclaredIn({ name, file }: Step): boolean {
  return new RegExp(`\\b(function|const|class|interface) ${name}\\b`).test(textOf(file));
}

test('both paths are drawn', () => {
  expect(pictures.map((lines) => stepsOf(lines).filter(Boolean).length >= 8)).toEqual([true, true]);
});

test('each function is in the file that the picture names', () => {
  const steps = pictures.flatMap(stepsOf).filter((step) => step !== undefined);
  expect(steps.filter(({ file }) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(steps.filter((step) => !isDeclaredIn(step))).toEqual([]);
});

test('each function leads to the one below it, unless an arrow is between them', () => {
  const pairs = pictures.flatMap((lines) => {
    const steps = stepsOf(lines);
    return steps.flatMap((step, at) => {
      const next = steps[at + 1];
      return step && next ? [{ step, next }] : [];
    });
  });
  expect(pairs.length).toBeGreaterThan(5);
  const isReached = ({ step, next }: (typeof pairs)[number]) =>
    step.file === next.file || new RegExp(`\\b${next.name}\\b`).test(textOf(step.file));
  expect(pairs.filter((pair) => !isReached(pair))).toEqual([]);
});

test('each arrow between two services is a method that the caller knows and the other one has', () => {
  const calls = pictures.flat().flatMap((line) => {
    const [, from, to, method] = CALL.exec(line) ?? [];
    const isCall = SERVICES.includes(from ?? '') && SERVICES.includes(to ?? '') && from !== to;
    return isCall ? [{ to, method }] : [];
  });
  expect(calls.length).toBeGreaterThan(2);
  const isDeclared = ({ to, method }: (typeof calls)[number]) => textOf(`proto/${to}.proto`).includes(`rpc ${method}(`);
  expect(calls.filter((call) => !isDeclared(call))).toEqual([]);
});
