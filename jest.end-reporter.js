// Jest waits for what a suite has left open, or what a test that ran out of time still does: for ever, where suites run in Jest's own process.

/** `patienceMs`: the time after the last suite in which all must end. */
module.exports = class {
  #patienceMs;

  constructor({ watch, watchAll }, { patienceMs }) {
    this.#patienceMs = watch || watchAll ? undefined : patienceMs;
  }

  onRunComplete() {
    if (this.#patienceMs !== undefined) setTimeout(endProcess, this.#patienceMs).unref();
  }
};

function endProcess() {
  process.stderr.write(`Jest is ended, as suites have left open: ${process.getActiveResourcesInfo().join(', ')}\n`);
  process.exit(1);
}
