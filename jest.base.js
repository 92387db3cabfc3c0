// Every package extends this; tests run on the TypeScript sources, so no build is needed between edits.
const path = require('node:path');
const root = __dirname;

const SERVICES = ['gateway', 'realm', 'messages', 'invites', 'events', 'scheduler'];
/** Our packages, whose package.json exports point to built files. */
const SOURCES = {
  '@parley/shared/*': ['packages/shared/src/*/index.ts'],
  '@parley/client-model/*': ['packages/client-model/src/*.ts'],
  '@parley/dev-env': ['packages/dev-env/src/index.ts'],
  '@parley/operator/*': ['packages/operator/src/*.ts'],
  ...Object.fromEntries(SERVICES.map((service) => [`@parley/${service}/*`, [`services/${service}/src/*.ts`]])),
};

module.exports = {
  testEnvironment: path.join(root, 'jest.environment.js'),
  testRunner: path.join(root, 'jest.test-runner.js'),
  watchman: false,
  testTimeout: 60_000,
  // The end of a process with a large heap takes more than Jest's half second on a busy machine. What suites leave open they say themselves.
  workerGracefulExitTimeout: 10_000,
  // The end of the test servers is part of it.
  reporters: ['default', [path.join(root, 'jest.end-reporter.js'), { patienceMs: 60_000 }]],
  globalSetup: path.join(root, 'packages/shared/src/testing/global-setup.ts'),
  globalTeardown: path.join(root, 'packages/shared/src/testing/global-teardown.ts'),
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      require.resolve('@swc/jest'),
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' }, baseUrl: root, paths: SOURCES },
        module: { type: 'commonjs' },
      },
    ],
  },
};
