import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readCompose } from './compose';
import { readStages, type Stage } from './dockerfile';
import type { Tree } from './manifest';
import { deploymentOf, OVERLAYS, ofKind, podOf } from './overlays';
import { SERVICES } from './service-settings';

const ROOT = path.resolve(__dirname, '../../../..');
const PRINT_LOADED = 'process.stderr.write(JSON.stringify(Object.keys(require.cache)))';
const SETTINGS = './packages/operator/dist/commands/check-settings.js';

interface Lock {
  packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean }>>;
}

const stages = readStages(path.join(ROOT, 'Dockerfile'));

test('the operator’s command has an image of its own, in which `parley` starts it, and no other has it', () => {
  const image = stages.get('operator') as Stage;
  expect(image.entryPoint).toEqual(['parley']);
  expect(image.copies).toContain('packages/operator/parley /usr/local/bin/parley');
  expect(readFileSync(path.join(ROOT, 'packages/operator/parley'), 'utf8')).toContain(
    'exec node -- /parley/packages/operator/dist/main.js "$@"',
  );
  expect(statSync(path.join(ROOT, 'packages/operator/parley')).mode & 0o111).toBe(0o111);
  const { runs } = stages.get('built') as Stage;
  expect(runs.filter((each) => each.includes('operator')).join()).not.toContain('/built/gateway');
  for (const service of SERVICES) expect(stages.get(service)?.copies.join()).not.toContain('operator');
});

test.each([
  ['its help', `require('./packages/operator/dist/main.js'); ${PRINT_LOADED}`, /^packages\/(shared|operator)\/dist\//],
  [
    'every setting',
    `require('${SETTINGS}').checkSettings({}).then(() => ${PRINT_LOADED})`,
    /^(packages\/(shared|operator)\/dist\/|services\/gateway\/dist\/|services\/\w+\/dist\/config\.js$)/,
  ],
])('to print %s the operator’s command loads nothing but what its image has', (_what, program, inImage) => {
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const loaded = loadedFiles(program);
  const packages = loaded.filter((file) => file.includes('node_modules/')).map(packageOf);
  expect(packages).toContain('node_modules/zod');
  expect(packages.filter((name) => lock.packages[name]?.dev || lock.packages[name]?.devOptional)).toEqual([]);
  const own = loaded.filter((file) => !file.includes('node_modules/'));
  expect(own.filter((file) => !inImage.test(file))).toEqual([]);
});

test('compose runs it on request, with the files for archives', () => {
  const { profiles, build, volumes, environment } = readCompose(path.join(ROOT, 'docker-compose.yml'))[
    'operator'
  ] as Tree;
  expect({ profiles, build, volumes }).toEqual({
    profiles: ['operator'],
    build: { context: '.', target: 'operator' },
    volumes: ['uploads:/data'],
  });
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(['REALM_ADDRESS', 'EVENTS_ADDRESS']));
});

describe.each(OVERLAYS)('in %s', (overlay) => {
  test('a pod waits for commands, and serves no requests', () => {
    const [{ image, command, envFrom, ports }] = podOf(deploymentOf(overlay, 'operator'))['containers'];
    expect(image).toMatch(/parley\/operator\b/);
    expect(command).toEqual(['sleep', 'infinity']);
    expect(envFrom[0].configMapRef.name).toMatch(/^settings/);
    expect(ports).toBeUndefined();
    expect(ofKind(overlay, 'Service').map(({ metadata }) => metadata.name)).not.toContain('operator');
  });
});

test('in production it shows services a certificate', () => {
  const { volumes, containers } = podOf(deploymentOf('production', 'operator'));
  expect(volumes).toContainEqual({ name: 'tls', secret: { secretName: 'operator-certificate' } });
  expect(containers[0].volumeMounts).toContainEqual({ name: 'tls', mountPath: '/tls', readOnly: true });
});

/** Every file that the program has loaded when it prints them, relative to the checkout. */
function loadedFiles(program: string): string[] {
  const { stderr } = spawnSync(process.execPath, ['-e', program], { cwd: ROOT, encoding: 'utf8' });
  return (JSON.parse(stderr) as string[]).map((file) => path.relative(ROOT, file));
}

function packageOf(file: string): string {
  const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file) as RegExpExecArray;
  return folder;
}
