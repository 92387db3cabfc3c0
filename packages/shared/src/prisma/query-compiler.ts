import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';

/** The part that is used; Node 20's types lack it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };

interface CompilerWasm {
  importName: string;
  getQueryCompilerWasmModule(): Promise<unknown>;
}

const IMPORT_NAME = './query_compiler_small_bg.js';
const FILE = '@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.js';

/**
 * Makes a new PrismaClient read its query compiler from the file. By default it imports the file as a module, which keeps the
 * text of 2 MB twice for the life of the process, and compiles it synchronously: 14 MB more. A client of another structure is
 * left unchanged.
 */
export function readCompilerFromFile(client: unknown): void {
  // NOTE: not a public member of Prisma; packages/dev-env/test/deployment/loaded-at-start.test.ts fails if it has moved.
  const config = (client as { _engineConfig?: { compilerWasm?: CompilerWasm } })._engineConfig;
  const file = compilerFile();
  if (config?.compilerWasm?.importName !== IMPORT_NAME || file === undefined) return;
  config.compilerWasm = { ...config.compilerWasm, getQueryCompilerWasmModule: () => compile(file) };
}

function compilerFile(): string | undefined {
  try {
    return require.resolve(FILE);
  } catch {
    return undefined;
  }
}

/**
 * V8 optimizes a function of WebAssembly once it has used up this budget. With the default of 1.8 million that happens to the
 * functions that only read the schema at the start, and takes 8 to 13 MB.
 */
const OPTIMIZED_AFTER = 50_000_000;

/** The file is one assignment of one string: `const wasm = "…";`. */
async function compile(file: string): Promise<unknown> {
  const source = await readFile(file);
  const begin = source.indexOf('"') + 1;
  const text = source.toString('latin1', begin, source.indexOf('"', begin));
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMIZED_AFTER}`);
  return WebAssembly.compile(Buffer.from(text, 'base64'));
}
