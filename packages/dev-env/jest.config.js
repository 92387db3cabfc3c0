const path = require('node:path');

// These tests wait for services more than they compute; starting a whole network may take long on a slow machine.
module.exports = {
  ...require('../../jest.base.js'),
  maxWorkers: 2,
  testTimeout: 120_000,
  testSequencer: path.join(__dirname, 'jest.sequencer.js'),
  testEnvironmentOptions: { mustClose: true },
};
