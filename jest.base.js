// Every package extends this; tests run on the TypeScript sources, so no build is needed between edits.
const path = require('node:path');
const root = __dirname;

module.exports = {
  testEnvironment: path.join(root, 'jest.environment.js'),
  runtime: path.join(root, 'jest.runtime.js'),
  watchman: false,
  testTimeout: 60_000,
  globalSetup: path.join(root, 'packages/shared/src/testing/global-setup.ts'),
  globalTeardown: path.join(root, 'packages/shared/src/testing/global-teardown.ts'),
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: {
    '^@parley/shared/(.*)$': path.join(root, 'packages/shared/src/$1/index.ts'),
    '^@parley/dev-env$': path.join(root, 'packages/dev-env/src/index.ts'),
    '^@parley/operator/(.*)$': path.join(root, 'packages/operator/src/$1.ts'),
    '^@parley/(gateway|realm|messages|invites|events|scheduler)/(.*)$': path.join(root, 'services/$1/src/$2.ts'),
  },
};
