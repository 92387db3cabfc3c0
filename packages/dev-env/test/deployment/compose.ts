import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Tree } from './manifest';

export interface ComposeService extends Tree {
  environment?: Record<string, string>;
}

/** The services of a compose file. A variable that the operator must set is set to a secret of 64 characters. */
export function readCompose(file: string): Record<string, ComposeService> {
  const text = readFileSync(file, 'utf8').replace(/\$\{\w+:([-?])([^}]*)\}/g, (_, mark, word) =>
    mark === '-' ? word : 's'.repeat(64),
  );
  return (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services;
}
