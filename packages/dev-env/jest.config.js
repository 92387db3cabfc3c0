const path = require('node:path');

// These tests wait for services more than they compute: three at a time keep two processors busy. Starting a whole network may take long on a
// slow machine.
module.exports = {
  ...require('../../jest.base.js'),
  maxWorkers: 3,
  testTimeout: 120_000,
  testSequencer: path.join(__dirname, 'jest.sequencer.js'),
  testEnvironmentOptions: { mustClose: true },
};
