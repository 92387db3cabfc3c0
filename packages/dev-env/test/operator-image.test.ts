import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readStages } from './deployment/dockerfile';

const ROOT = path.resolve(__dirname, '../../..');
const LOADED = `require('./packages/dev-env/dist/admin.js'); process.stderr.write(JSON.stringify(Object.keys(require.cache)))`;

interface Lock {
  packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean }>>;
}

test('the gateway’s image has the operator’s command', () => {
  const { runs } = readStages(path.join(ROOT, 'Dockerfile')).get('built') as { runs: string[] };
  expect(runs.join()).toContain('cp -r packages/dev-env/dist /built/gateway/packages/dev-env/dist');
  expect(readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')).not.toContain('packages/dev-env/src');
});

test('the operator’s command loads nothing but what it shares with the gateway', () => {
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const loaded = loadedFiles();
  const packages = loaded.filter((file) => file.startsWith('node_modules/')).map(packageOf);
  expect(packages).toContain('node_modules/zod');
  expect(packages.filter((name) => lock.packages[name]?.dev || lock.packages[name]?.devOptional)).toEqual([]);
  const own = loaded.filter((file) => !file.startsWith('node_modules/'));
  expect(own.filter((file) => !/^packages\/(shared|dev-env)\/dist\//.test(file))).toEqual([]);
});

/** Every file that the command has loaded when it prints its help, relative to the checkout. */
function loadedFiles(): string[] {
  const { stderr } = spawnSync(process.execPath, ['-e', LOADED], { cwd: ROOT, encoding: 'utf8' });
  return (JSON.parse(stderr) as string[]).map((file) => path.relative(ROOT, file));
}

function packageOf(file: string): string {
  const [folder, scope, name] = file.split('/') as [string, string, string];
  return scope.startsWith('@') ? `${folder}/${scope}/${name}` : `${folder}/${scope}`;
}
