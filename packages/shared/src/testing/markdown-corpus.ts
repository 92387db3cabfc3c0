import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MarkdownFacts } from '../markdown';

const DIRECTORY = path.resolve(__dirname, '../../src/markdown/corpus');

interface CorpusCase {
  name: string;
  input: string;
  html: string;
}

/** For tests: examples of the Markdown dialect, by construct. */
export function markdownCorpus(): Readonly<Record<string, CorpusCase[]>> {
  const files = readdirSync(path.join(DIRECTORY, 'cases'));
  return Object.fromEntries(files.map((file) => [path.basename(file, '.json'), read(`cases/${file}`) as CorpusCase[]]));
}

/** For tests: the organization of the examples. */
export function markdownExampleFacts(): MarkdownFacts {
  return read('example-facts.json') as MarkdownFacts;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(path.join(DIRECTORY, name), 'utf8'));
}
