// The gateway has no database and no broker: its peers are gRPC servers that the tests start themselves.
module.exports = {
  ...require('../../jest.base.js'),
  globalSetup: undefined,
  globalTeardown: undefined,
  testEnvironmentOptions: { mustClose: true },
};
