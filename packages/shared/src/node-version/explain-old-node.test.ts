import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explainOldNode } from './explain-old-node';

test.each([
  ['18.20.4', 'Parley needs Node 20.19 or later; this is 18.20.4'],
  ['20.9.0', 'Parley needs Node 20.19 or later; this is 20.9.0'],
  ['20.19.0', undefined],
  ['22.1.0', undefined],
])('Node %s', (version, expected) => {
  expect(explainOldNode(version)).toBe(expected);
});

test('the least version is that of package.json', () => {
  const { engines } = JSON.parse(readFileSync(path.resolve(__dirname, '../../../../package.json'), 'utf8'));
  expect(explainOldNode('18.0.0')).toContain(engines.node.replace('>=', ''));
});
