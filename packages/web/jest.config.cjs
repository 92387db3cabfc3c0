// @boundaries-ignore the root's settings are those of every package
const base = require('../../jest.base.js');

const [[, [swc, options]]] = Object.entries(base.transform);
const { jsc } = options;

// The store and its rules, without a browser: the server is the test's `fetch`.
module.exports = {
  ...base,
  globalSetup: undefined,
  globalTeardown: undefined,
  testEnvironmentOptions: { mustClose: true },
  // Preact has ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!preact/)'],
  transform: {
    ...base.transform,
    '^.+\\.(tsx|mjs)$': [
      swc,
      {
        ...options,
        jsc: {
          ...jsc,
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
      },
    ],
  },
};
