import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';

/** Positions that are remembered: those of a few hundred stack traces. */
const REMEMBERED = 2_000;

/** Compiled position to that in the source, both as in a stack trace: `/parley/services/realm/dist/rpc.js:12:5`. */
const remembered = new Map<string, string>();

/**
 * From now on stack traces of this process show positions in TypeScript. Called where a service starts. A source map is read
 * when a stack trace with a new position in its file is first looked at; with `--enable-source-maps` Node reads the maps of all
 * modules, of packages too, while it loads them, and keeps them: 30 MB.
 */
export function showSourcePositions(): void {
  const mark = markOfNode();
  Error.prepareStackTrace = (error, calls) => [headOf(error, mark), ...framesOf(calls)].join('\n    at ');
}

/** NOTE: Node's own errors bear a symbol that it does not publish; their stack traces begin with their code, too. */
function markOfNode(): symbol | undefined {
  let bearer: unknown = errorOfNode();
  while (bearer) {
    const mark = Object.getOwnPropertySymbols(bearer).find(({ description }) => description === 'kIsNodeError');
    if (mark) return mark;
    bearer = Object.getPrototypeOf(bearer);
  }
  return undefined;
}

function errorOfNode(): unknown {
  try {
    return Buffer.alloc(-1);
  } catch (error) {
    return error;
  }
}

/** As Node and V8 write it. */
function headOf(error: Error, mark: symbol | undefined): string {
  if (mark !== undefined && mark in error)
    return `${error.name} [${(error as NodeJS.ErrnoException).code}]: ${error.message}`;
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

function framesOf(calls: readonly NodeJS.CallSite[]): string[] {
  const maps = new Map<string, SourceMap | undefined>();
  return calls.map((call) => {
    const [file, line, column] = [call.getFileName(), call.getLineNumber(), call.getColumnNumber()];
    if (!isOurs(file) || line === null || column === null) return `${call}`;
    const compiled = `${file}:${line}:${column}`;
    const source = remembered.get(compiled) ?? sourcePosition(maps, { file, line, column }) ?? compiled;
    remember(compiled, source);
    return `${call}`.replace(compiled, () => source);
  });
}

function isOurs(file: string | null | undefined): file is string {
  return file?.endsWith('.js') === true && path.isAbsolute(file) && !file.includes('node_modules');
}

interface Position {
  file: string;
  line: number;
  column: number;
}

function sourcePosition(
  maps: Map<string, SourceMap | undefined>,
  { file, line, column }: Position,
): string | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  const found = maps.get(file)?.findEntry(line - 1, column - 1);
  if (found === undefined || !('originalLine' in found)) return undefined;
  const source = path.resolve(path.dirname(file), found.originalSource);
  return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    // Without its map a file keeps its own positions.
    return undefined;
  }
}

function remember(compiled: string, source: string): void {
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(compiled, source);
}
