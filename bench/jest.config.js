// A whole network takes as long to start as the machine needs.
module.exports = {
  ...require('../jest.base.js'),
  maxWorkers: 1,
  testTimeout: 120_000,
  testEnvironmentOptions: { mustClose: true },
};
