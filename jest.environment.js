// Tests run in Node's own context, as the services do: an Error of a package is an Error of the code that catches it, and nothing
// that a test reaches for goes through the proxy of another global object.
const { ModuleMocker } = require('jest-mock');

/** What Jest keeps about a suite, under symbols of the global object. */
const KEPT_OF_A_SUITE = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|\w+_BEFORE_RETRY)$/;

module.exports = class {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #given = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  async setup() {}

  /** The next suite begins with what this one was given. */
  async teardown() {
    const { env, exit, console } = this.#given;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = console;
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (KEPT_OF_A_SUITE.test(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    }
    this.global = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Asked for by Jest; jest.runtime.js compiles for the context of Node. */
  getVmContext() {
    return globalThis;
  }
};
