// Runs a suite as Jest's own runner does, but Node loads the modules, as in production: packages, ES modules among them, and ours, each
// once per worker. Jest would load all of them anew for every suite: most of what a short suite costs.
const asyncHooks = require('node:async_hooks');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const swc = require('@swc/core');
const { default: runSuite } = require('jest-circus/runner');

/** Where the source map of each module lies that was loaded so far. */
const sourceMaps = new Map();

// Where a name has no ending, TypeScript comes before data, as the file that is built from it does.
const { '.json': json, '.node': addon } = require.extensions;
for (const ending of ['.json', '.node']) delete require.extensions[ending];
Object.assign(require.extensions, { '.ts': undefined, '.json': json, '.node': addon });

/** From now on Node loads TypeScript. Compiled modules lie in Jest's folder: one for all packages, where Jest would have one for each. */
function loadTypeScript({ cacheDirectory, transform }, runtime) {
  const [[, , options]] = transform;
  const directory = path.join(cacheDirectory, 'parley');
  mkdirSync(directory, { recursive: true });
  for (const [file, map] of sourceMaps) runtime.getSourceMaps().set(file, map);
  require.extensions['.ts'] = (module, file) => {
    const compiled = compile(file, options, directory);
    for (const maps of [sourceMaps, runtime.getSourceMaps()]) maps.set(file, `${compiled}.map`);
    module._compile(readFileSync(compiled, 'utf8'), file);
  };
}

/** Returns the path of the compiled module, which is named after all that it depends on. */
function compile(file, options, directory) {
  const source = readFileSync(file, 'utf8');
  const causes = JSON.stringify([swc.version, options, file, source]);
  const compiled = path.join(directory, `${createHash('sha256').update(causes).digest('hex')}.js`);
  if (existsSync(compiled)) return compiled;
  const { code, map } = swc.transformSync(source, { ...options, filename: file, sourceMaps: true, swcrc: false });
  writeWhole(`${compiled}.map`, map);
  writeWhole(compiled, code);
  return compiled;
}

/** Other workers may read it at any time. */
function writeWhole(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** Nothing keeps the module: what a suite holds can be forgotten after it. */
function loadAnew(file) {
  try {
    return require(file);
  } finally {
    delete require.cache[file];
    module.children.length = 0;
  }
}

/**
 * The test or hook that runs. It replaces an AsyncLocalStorage, with which every promise of the process costs several times as much on Node 20.
 * NOTE: not for test.concurrent(). An error that a test throws after its end fails the one that runs then.
 */
class Current {
  #context;

  getStore() {
    return this.#context;
  }

  async run(context, work) {
    const before = this.#context;
    this.#context = context;
    try {
      return await work();
    } finally {
      this.#context = before;
    }
  }
}

/** Jest's module that keeps a suite's state; it is compiled once. */
function loadStateAnew(file) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = Current;
  try {
    const module = { exports: {} };
    compiledOnce(file).call(module.exports, module.exports, createRequire(file), module, file, path.dirname(file));
    return module.exports;
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

const compiledModules = new Map();

function compiledOnce(filename) {
  const known = compiledModules.get(filename);
  if (known) return known;
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const compiled = vm.compileFunction(readFileSync(filename, 'utf8'), parameters, { filename });
  compiledModules.set(filename, compiled);
  return compiled;
}

function forgetOurs() {
  for (const file of Object.keys(require.cache)) if (file.endsWith('.ts')) delete require.cache[file];
}

// Jest has loaded its global set-up without source maps.
forgetOurs();

module.exports = async (globalConfig, config, environment, runtime, testFile, sendMessage) => {
  // Sources may have changed.
  if (globalConfig.watch || globalConfig.watchAll) forgetOurs();
  loadTypeScript(config, runtime);
  // Loaded anew: the suite, and Jest's module that keeps its state.
  const loader = Object.assign(Object.create(runtime), {
    requireModule: loadAnew,
    requireInternalModule: loadStateAnew,
  });
  return runSuite(globalConfig, config, environment, loader, testFile, sendMessage);
};
