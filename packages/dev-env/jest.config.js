const path = require('node:path');

// Its journeys wait for services more than they compute; how long a whole network takes to start is the machine's affair.
module.exports = {
  ...require('../../jest.base.js'),
  maxWorkers: 2,
  testTimeout: 120_000,
  testSequencer: path.join(__dirname, 'jest.sequencer.js'),
  testEnvironmentOptions: { mustClose: true },
};
