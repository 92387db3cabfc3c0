// All tests of this package. Journeys that take processes away, and say how fast others go on, have the machine to themselves: they
// come last, one at a time. Parameters are jest's.
const { spawnSync } = require('node:child_process');

const FAULTS = '/(chaos|npm-start|outages|outages-refill|restore|rolling-upgrade)\\.test\\.ts$';
const given = process.argv.slice(2);

function jest(...parameters) {
  const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), ...parameters, ...given], {
    stdio: 'inherit',
  });
  return status === 0;
}

const results = [
  jest('--testPathIgnorePatterns', FAULTS, '/node_modules/'),
  jest('--runInBand', '--testPathPatterns', FAULTS),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
