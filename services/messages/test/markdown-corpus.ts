import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const DIRECTORY = path.resolve(__dirname, '../src/markdown/corpus/cases');

export interface CorpusCase {
  name: string;
  input: string;
  html: string;
}

/** The dialect by example: the cases of each construct. */
export const corpus: Readonly<Record<string, CorpusCase[]>> = Object.fromEntries(
  readdirSync(DIRECTORY).map((file) => [
    path.basename(file, '.json'),
    JSON.parse(readFileSync(path.join(DIRECTORY, file), 'utf8')) as CorpusCase[],
  ]),
);
