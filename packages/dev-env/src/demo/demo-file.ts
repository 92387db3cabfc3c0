import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface DemoUser {
  fullName: string;
  role: number;
  userId: number;
  email: string;
  apiKey: string;
}

/** API keys are returned only once, so `npm start` stores those of the demo organization here with the password, to show them at every start. */
export interface Demo {
  realmId: number;
  users: DemoUser[];
  /** Everybody's. Absent in demos that were made before there was a web client. */
  password?: string;
  /** False: its creation was interrupted. */
  isComplete: boolean;
  /** Whether its first conversations are still to be written. Absent in older demos. */
  needsConversations?: boolean;
}

export function demoFile(dataDir: string): string {
  return path.join(dataDir, 'demo.json');
}

export function readDemo(dataDir: string): Demo | undefined {
  try {
    return JSON.parse(readFileSync(demoFile(dataDir), 'utf8')) as Demo;
  } catch {
    return undefined;
  }
}

export function writeDemo(dataDir: string, demo: Demo): void {
  const file = demoFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
