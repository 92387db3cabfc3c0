// Before anything is built: an older Node fails with obscure errors. The built code checks the same (packages/shared/src/node-version).
const { readFileSync } = require('node:fs');

const { engines } = JSON.parse(readFileSync(`${__dirname}/../../package.json`, 'utf8'));

const [least, leastMinor] = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < least || (major === least && minor < leastMinor)) {
  process.stderr.write(`Parley needs Node ${least}.${leastMinor} or later; this is ${process.versions.node}\n`);
  process.exit(1);
}
