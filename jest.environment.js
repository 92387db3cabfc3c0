// Tests run in Node's own context, like the services: a package's Error is the same class as the Error of the code that catches
// it, and globals are not accessed through a proxy.
const { ModuleMocker } = require('jest-mock');

/** Jest's data about a suite, under symbols of the global object. */
const KEPT_OF_A_SUITE = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|\w+_BEFORE_RETRY)$/;

/** Sockets and pipes that were just closed need a moment. */
const PATIENCE_MS = 2_000;

/** Handles that keep the process from ending: sockets, servers, timers, child processes. */
const openResources = () => process.getActiveResourcesInfo();

/** Handles that are open beyond `before`, after waiting for those that are closing. */
async function leftOpen(before) {
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    const known = [...before];
    const left = openResources().filter((name) => {
      const at = known.indexOf(name);
      if (at !== -1) known.splice(at, 1);
      return at === -1;
    });
    if (left.length === 0 || performance.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 20).unref());
  }
}

module.exports = class {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #open = [];
  #mustClose;
  #given = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  /** `testEnvironmentOptions.mustClose`: a suite that leaves handles open fails. */
  constructor({ projectConfig }) {
    this.#mustClose = projectConfig.testEnvironmentOptions.mustClose === true;
  }

  async setup() {
    // Of Jest's own functions tests use those for spies.
    globalThis.jest = this.moduleMocker;
    this.#open = openResources();
  }

  /** The next suite begins with the same globals. */
  async teardown() {
    const left = this.#mustClose ? await leftOpen(this.#open) : [];
    const { env, exit, console } = this.#given;
    this.moduleMocker.restoreAllMocks();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = console;
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (KEPT_OF_A_SUITE.test(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    }
    this.global = null;
    if (left.length > 0) throw new Error(`the suite has left open: ${left.join(', ')}`);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Required by Jest; no module is compiled for it, see jest.test-runner.js. */
  getVmContext() {
    return globalThis;
  }
};
