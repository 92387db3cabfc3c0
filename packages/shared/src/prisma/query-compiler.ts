import { readFile } from 'node:fs/promises';

/** The part that is used; the types of Node 20 have none. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };

interface CompilerWasm {
  importName: string;
  getQueryCompilerWasmModule(): Promise<unknown>;
}

const IMPORT_NAME = './query_compiler_small_bg.js';
const FILE = '@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.js';

/**
 * Has a new PrismaClient read its query compiler from the file. Its own way is to import the file as a module, which keeps the text of 2 MB
 * twice for as long as the process lives, and to compile it synchronously: 14 MB more. A client of another make is left as it is.
 */
export function readCompilerFromFile(client: unknown): void {
  // NOTE: not a public member of Prisma; packages/dev-env/test/deployment/loaded-at-start.test.ts fails when it has moved.
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

/** The file is one assignment of one text: `const wasm = "…";`. */
async function compile(file: string): Promise<unknown> {
  const source = await readFile(file);
  const begin = source.indexOf('"') + 1;
  const text = source.toString('latin1', begin, source.indexOf('"', begin));
  return WebAssembly.compile(Buffer.from(text, 'base64'));
}
