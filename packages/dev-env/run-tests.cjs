// The tests of this package; parameters are jest's. Journeys that measure time, of recovery or of a turn of the event loop, disturb the others
// and are disturbed by them: they run last, beside each other, as each leaves processors idle. With --release: also tests that take minutes, for use
// before a release. Files named as parameters run alone.
const { spawnSync } = require('node:child_process');

const MEASURED = '/(outages|event-loop)\\.test\\.ts$';
const RELEASE = '/(restore|rolling-upgrade|rolls|scim-checker|keycloak)\\.test\\.ts$';
/** Repeat changes at random: more often before a release. */
const AT_RANDOM = '/(one-cut|random-changes)\\.test\\.ts$';
const [isRelease, given] = [
  process.argv.includes('--release'),
  process.argv.slice(2).filter((each) => each !== '--release'),
];

/** `-t` has a separate value; other options contain theirs. */
const namesFiles = given.some(
  (each, at) => !each.startsWith('-') && !/^(-t|--testNamePattern)$/.test(given[at - 1] ?? ''),
);

function jest(...parameters) {
  const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), ...given, ...parameters], {
    stdio: 'inherit',
  });
  return status === 0;
}

function repeatOften() {
  process.env.CUT_ROUNDS ??= '20';
  process.env.REPLAY_ROUNDS ??= '200';
  return alone(AT_RANDOM);
}

const alone = (pattern) => jest('--runInBand', '--testPathPatterns', pattern);

function run() {
  if (namesFiles) return [jest()];
  if (isRelease) return [alone(RELEASE), repeatOften()];
  return [
    jest('--testPathIgnorePatterns', MEASURED, RELEASE, '/node_modules/'),
    jest('--maxWorkers=2', '--testPathPatterns', MEASURED),
  ];
}

const results = run();
process.exitCode = results.every(Boolean) ? 0 : 1;
