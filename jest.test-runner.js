// Runs a suite as Jest's own runner does, but Node loads the modules, as in production: packages, ES modules among them, and ours, each
// once per worker. Jest would load all of them anew for every suite: most of what a short suite costs.
const asyncHooks = require('node:async_hooks');
const { createScriptTransformer } = require('@jest/transform');
const { default: runSuite } = require('jest-circus/runner');

/** By package. */
const transformers = new Map();
/** Where the source map of each module lies that was loaded so far. */
const sourceMaps = new Map();

const COMMONJS = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};

// Where a name has no ending, TypeScript comes before data, as the file that is built from it does.
const { '.json': json, '.node': addon } = require.extensions;
for (const ending of ['.json', '.node']) delete require.extensions[ending];
Object.assign(require.extensions, { '.ts': undefined, '.json': json, '.node': addon });

/** From now on Node loads TypeScript, compiled by the package's `transform`. */
async function loadTypeScript({ collectCoverage, collectCoverageFrom, coverageProvider }, config, runtime) {
  if (!transformers.has(config.id)) transformers.set(config.id, await createScriptTransformer(config));
  const transformer = transformers.get(config.id);
  const options = { ...COMMONJS, collectCoverage, collectCoverageFrom, coverageProvider };
  for (const [file, map] of sourceMaps) runtime.getSourceMaps().set(file, map);
  require.extensions['.ts'] = (module, file) => {
    const { code, sourceMapPath } = transformer.transform(file, options);
    if (sourceMapPath) for (const maps of [sourceMaps, runtime.getSourceMaps()]) maps.set(file, sourceMapPath);
    module._compile(code, file);
  };
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

/** Node 20 would otherwise hand one more context on with every promise after each suite. */
const contextOfTests = new asyncHooks.AsyncLocalStorage();

/** Jest's module that keeps a suite's state. */
function loadStateAnew(file) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = function OneOfAllSuites() {
    return contextOfTests;
  };
  try {
    return loadAnew(file);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

function forgetOurs() {
  for (const file of Object.keys(require.cache)) if (file.endsWith('.ts')) delete require.cache[file];
}

// Jest has loaded its global set-up without source maps.
forgetOurs();

module.exports = async (globalConfig, config, environment, runtime, testFile, sendMessage) => {
  // Sources may have changed.
  if (globalConfig.watch || globalConfig.watchAll) forgetOurs();
  await loadTypeScript(globalConfig, config, runtime);
  // Loaded anew: the suite, and Jest's module that keeps its state.
  const loader = Object.assign(Object.create(runtime), {
    requireModule: loadAnew,
    requireInternalModule: loadStateAnew,
  });
  return runSuite(globalConfig, config, environment, loader, testFile, sendMessage);
};
