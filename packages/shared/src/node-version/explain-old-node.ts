/** As in package.json's "engines". */
const LEAST = '20.19';

/** Why Parley does not run on this version of Node, in one sentence; undefined: it runs. */
export function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `Parley needs Node ${LEAST} or later; this is ${version}`;
}
