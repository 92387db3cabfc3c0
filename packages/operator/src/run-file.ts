import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandedService } from './command/command';

/** A running `npm start`, for other commands. */
interface Run {
  pid: number;
  /** The gateway's address. */
  url: string;
  /** The addresses of the services that the operator's commands call. */
  addresses: Readonly<Record<CommandedService, string>>;
}

function runFile(dataDir: string): string {
  return path.join(dataDir, 'run.json');
}

/** Writes the file when the services run; the returned function removes it. */
export function writeRunFile(dataDir: string, run: Run): () => Promise<void> {
  writeFileSync(runFile(dataDir), `${JSON.stringify(run, null, 2)}\n`);
  return async () => rmSync(runFile(dataDir), { force: true });
}

/** Undefined if nothing runs, or the file is unreadable. The run may have been killed since. */
export function readRunFile(dataDir: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(runFile(dataDir), 'utf8')) as Run;
  } catch {
    return undefined;
  }
}
