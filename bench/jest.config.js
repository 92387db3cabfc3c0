// Starting a whole network may take long on a slow machine.
module.exports = {
  ...require('../jest.base.js'),
  maxWorkers: 1,
  testTimeout: 120_000,
  testEnvironmentOptions: { mustClose: true },
};
