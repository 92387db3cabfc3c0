// Jest loads every module anew for every suite: most of what a short suite costs. Here that holds for the modules of this
// repository alone: packages are loaded once per worker, by Node, and of our own modules at least the compiled code is kept.
// The suites of packages/shared then need 67 s of processor time and 0.8 GB, with Jest's own runtime and environment 96 s and 1.5 GB.
const { createRequire, isBuiltin } = require('node:module');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Ours, or parts of Jest that must be those of the suite. */
const PER_SUITE = /^(\.|\/|@parley\/|@jest\/|expect$)/;
/** By file. */
const compiled = new Map();

class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    executor.compile = (source, filename) => compile(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    if (PER_SUITE.test(name) || isBuiltin(name)) return super.requireModuleOrMock(from, name);
    return createRequire(from)(name);
  }
}

function compile(source, filename, parameters) {
  const former = compiled.get(filename);
  if (former?.source === source) return former.run;
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const run = vm.compileFunction(source, parameters, { filename, importModuleDynamically });
  compiled.set(filename, { source, run });
  return run;
}

module.exports = { __esModule: true, default: SharingRuntime };
