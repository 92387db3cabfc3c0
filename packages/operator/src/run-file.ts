import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandedService } from './command/command';

/** A running `npm start`, as other commands find it. */
interface Run {
  pid: number;
  /** Where the gateway answers. */
  url: string;
  /** Of the services that the operator's commands call. */
  addresses: Readonly<Record<CommandedService, string>>;
}

function runFile(dataDir: string): string {
  return path.join(dataDir, 'run.json');
}

/** Written once the services run; the returned function removes it. */
export function writeRunFile(dataDir: string, run: Run): () => Promise<void> {
  writeFileSync(runFile(dataDir), `${JSON.stringify(run, null, 2)}\n`);
  return async () => rmSync(runFile(dataDir), { force: true });
}

/** Undefined when nothing runs, or the file is unreadable. The run may have been killed since. */
export function readRunFile(dataDir: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(runFile(dataDir), 'utf8')) as Run;
  } catch {
    return undefined;
  }
}
