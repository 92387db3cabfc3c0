import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

// Required before a service by tests, which start hundreds of processes (`node --require`): half of the processor time of a start goes
// into finding and compiling a thousand modules. The first process of a service writes both down, in the folder TEST_MODULE_CACHE of
// one run of the tests, before it reports that it has started. Node's own cache, from version 22 on, does not find modules.

interface Compiled {
  changedAtMs: number;
  code: Buffer;
}

interface Known {
  /** Paths of modules, by the folder of who requires them and the name. */
  found: Map<string, string>;
  /** By path. */
  compiled: Map<string, Compiled>;
  /** Flags of V8 that the service sets while it starts: V8 takes compiled code only with the flags it was written with. */
  flags: Set<string>;
}

/** What Node does not declare. */
interface Loader {
  _resolveFilename(name: string, parent: Module | null, isMain: boolean, options?: object): string;
  prototype: { _compile(this: Module, text: string, file: string, format?: string): unknown };
}

type Send = NonNullable<typeof process.send>;
type Wrapped = (...values: unknown[]) => unknown;

const loader = Module as unknown as Loader;
const { _resolveFilename: find } = loader;
const { _compile: compile } = loader.prototype;
const { setFlagsFromString: setFlag } = v8;

const [, main] = process.argv as [string, string];
const file = path.join(process.env['TEST_MODULE_CACHE'] as string, main.replaceAll(path.sep, '-'));
const known = read();
const scripts = new Map<string, { script: vm.Script; changedAtMs: number }>();

function read(): Known | undefined {
  return existsSync(file) ? (v8.deserialize(readFileSync(file)) as Known) : undefined;
}

const found = known?.found ?? new Map<string, string>();
const flags = known?.flags ?? new Set<string>();

function findModule(name: string, parent: Module | null, isMain: boolean, options?: object): string {
  if (!parent || options) return find.call(Module, name, parent, isMain, options);
  const key = `${parent.path}\n${name}`;
  const module = found.get(key) ?? find.call(Module, name, parent, isMain);
  found.set(key, module);
  return module;
}

function compileModule(this: Module, text: string, name: string, format?: string): unknown {
  if (format === 'module') return compile.call(this, text, name, format);
  const changedAtMs = statSync(name).mtimeMs;
  // NOTE: Node 20 does not tell V8 who imports for a module whose code it is given.
  const before = text.includes('import(') ? undefined : known?.compiled.get(name);
  const script = new vm.Script(Module.wrap(text), {
    filename: name,
    cachedData: before?.changedAtMs === changedAtMs ? before.code : undefined,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (!known) scripts.set(name, { script, changedAtMs });
  const run = script.runInThisContext() as Wrapped;
  return run.call(this.exports, this.exports, createRequire(name), this, name, path.dirname(name));
}

function write(): void {
  if (existsSync(file)) return;
  const compiled = [...scripts].map(([name, { script, changedAtMs }]): [string, Compiled] => [
    name,
    { changedAtMs, code: script.createCachedData() },
  ]);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, v8.serialize({ found, compiled: new Map(compiled), flags } satisfies Known));
  renameSync(draft, file);
  scripts.clear();
}

/** The first message reports that the service has started. */
function writeBeforeReport(): void {
  const send = process.send as Send;
  process.send = (...message: unknown[]) => {
    process.send = send;
    write();
    return (send as Wrapped).apply(process, message) as boolean;
  };
}

for (const flag of flags) setFlag(flag);
v8.setFlagsFromString = (flag) => {
  flags.add(flag);
  setFlag(flag);
};
loader._resolveFilename = findModule;
loader.prototype._compile = compileModule;
if (!known && process.send) writeBeforeReport();
