import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

const ROOT = path.resolve(__dirname, '../../..');
const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 40;
const DRAWER_NAMES = /(^|\/)(utils?|helpers?|common|misc|lib)(\.tsx?$|\/)/i;

interface SourceFile {
  path: string;
  text: string;
  imports: string[];
}

/** Every TypeScript source of the packages and services, except tests and generated code. */
const sources: SourceFile[] = [...filesLike('*.ts'), ...filesLike('*.tsx')]
  .filter((name) => /^(packages|services|bench)\/.*\/?src\//.test(name) && !/\.test\.ts$|\/generated\//.test(name))
  .map((name) => {
    const text = readFileSync(path.join(ROOT, name), 'utf8');
    return {
      path: name,
      text,
      imports: [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, target]) => target as string),
    };
  });

const inService = (file: Pick<SourceFile, 'path'>) => /^services\/([^/]+)\//.exec(file.path)?.[1];
const offenders = (isOffence: (file: SourceFile) => boolean) => sources.filter(isOffence).map(({ path: name }) => name);

describe('the architecture', () => {
  test('there is something to look at', () => {
    expect(sources.length).toBeGreaterThan(50);
  });

  test('a service imports shared and itself, never another service; only dev-env and bench import services', () => {
    const importsService = (file: SourceFile) =>
      file.imports.some((target) => /^@parley\/(?!shared)/.test(target) || /services\//.test(target));
    const isBoot = (file: SourceFile) => /^(packages\/(dev-env|operator)|bench)\//.test(file.path);
    expect(offenders((file) => importsService(file) && !isBoot(file) && !isOfBrowser(file))).toEqual([]);
  });

  test('each migration of a database has its own number', () => {
    const numbered = filesLike('*.sql').flatMap((name) => /^.*\/migrations\/\d+/.exec(name) ?? []);
    expect(numbered.length).toBeGreaterThan(50);
    expect(numbered.filter((number, index) => numbered.indexOf(number) !== index)).toEqual([]);
  });

  test('the web client imports the client’s model, and both run in browsers: nothing that they load needs Node or a service', () => {
    const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'packages/web/package.json'), 'utf8'));
    const loaded = loadedBy(sources.filter(isOfBrowser).map(({ path: name }) => name));
    expect(loaded).toContain('packages/shared/src/access/permission-settings.ts');
    const isKnown = (name: string) =>
      /^packages\/(web|client-model|shared)\/src\/|^\.[./]+\/style\/[\w-]+\.css$/.test(name) ||
      Object.keys(devDependencies).some((known) => name === known || name.startsWith(`${known}/`));
    expect(loaded.filter((name) => !isKnown(name))).toEqual([]);
  });

  test('the operator’s command calls services over rpc; of their code it imports only archives, uploads and settings', () => {
    const isOperator = (file: SourceFile) => file.path.startsWith('packages/operator/');
    const known = /^@parley\/(shared\/|gateway\/(archives|uploads)\/|\w+\/config$)/;
    const others = (file: SourceFile) =>
      file.imports.filter((target) => target.startsWith('@parley/') && !known.test(target));
    expect(sources.some(isOperator)).toBe(true);
    expect(offenders((file) => isOperator(file) && others(file).length > 0)).toEqual([]);
  });

  test('shared imports nothing of Parley but itself, and has no root index', () => {
    const isShared = (file: SourceFile) => file.path.startsWith('packages/shared/');
    expect(offenders((file) => isShared(file) && file.imports.some((target) => target.startsWith('@parley/')))).toEqual(
      [],
    );
    expect(offenders((file) => file.path === 'packages/shared/src/index.ts')).toEqual([]);
  });

  test('what is loaded later has its names in Node, whose view of older modules is narrower than that of the tests', () => {
    const late = sources
      .filter((file) => /^(services|packages\/(shared|operator))\//.test(file.path))
      .flatMap(lateNames);
    expect(late.map(({ module }) => module)).toContain('web-push');
    expect(late.filter(({ folder, module, names }) => !hasNames(folder, module, names))).toEqual([]);
  });

  test('only services that render Markdown load the renderer, with its typesetter and highlighter', () => {
    const loadsRenderer = ({ text }: SourceFile) =>
      /import (?!type )[^;]*'(?:@parley\/shared|(?:\.\.\/)+)\/?markdown(?:\/[^']*)?'/.test(text);
    const mayLoad = /^services\/(messages|realm)\/|^packages\/shared\/src\/markdown\//;
    expect(sources.some((file) => loadsRenderer(file))).toBe(true);
    expect(offenders((file) => loadsRenderer(file) && !mayLoad.test(file.path))).toEqual([]);
  });

  test('only *.sql.ts and shared/db run SQL; only the wiring opens database clients', () => {
    const runsSql = /\b(db|database|tx|sql|ctx\.db|prisma)\.(query|\$queryRaw\w*|\$executeRaw\w*)\s*[(<`]/;
    const mayRunSql = /\.sql\.ts$|^packages\/shared\/src\/(db|testing)\/|^bench\//;
    const isDomain = (file: SourceFile) => inService(file) !== undefined || file.path.startsWith('packages/shared/');
    expect(offenders((file) => isDomain(file) && runsSql.test(file.text) && !mayRunSql.test(file.path))).toEqual([]);

    const mayImportClient =
      /\.sql\.ts$|\/(context|service)\.ts$|\/prisma\.ts$|^packages\/shared\/src\/(db|prisma|testing)\/|^bench\/|^packages\/dev-env\//;
    const importsClient = (file: SourceFile) =>
      file.imports.some(
        (target) => target === 'pg' || target.startsWith('@prisma/') || /generated\/prisma/.test(target),
      );
    expect(offenders((file) => importsClient(file) && !mayImportClient.test(file.path))).toEqual([]);
  });

  test('Prisma’s client knows only the models that it is used for, which take memory for as long as a service runs', () => {
    const called = (model: string) =>
      new RegExp(
        `\\b${model.charAt(0).toLowerCase()}${model.slice(1)}\\.(find|create|update|delete|upsert|count|aggregate)`,
      );
    const unused = filesLike('services/*.prisma').flatMap((name) => {
      const own = sources.filter((file) => inService(file) === inService({ path: name }));
      const models = readFileSync(path.join(ROOT, name), 'utf8').matchAll(/^model (\w+) \{(.*?)^\}/gms);
      return [...models].flatMap(([, model = '', body]) =>
        body?.includes('@@ignore') || own.some(({ text }) => called(model).test(text)) ? [] : [`${name}: ${model}`],
      );
    });
    expect(unused).toEqual([]);
  });

  test('every statement declares the shape of its rows', () => {
    const runsText = /\.query(<|\(\s*['"`])/;
    const isOfServer = /^(packages\/shared|services\/\w+)\/src\//;
    // Clients of `pg` without a pool, which create databases and tables.
    const mayRunTexts = /^packages\/shared\/src\/(db|testing)\//;
    const isUndeclared = ({ path: name, text }: SourceFile) =>
      isOfServer.test(name) && runsText.test(text) && !mayRunTexts.test(name);
    expect(offenders(isUndeclared)).toEqual([]);
  });

  test('only config.ts reads the environment', () => {
    const mayRead = /\/config\.ts$|^packages\/shared\/src\/(db\/sql\.ts$|testing\/)|^packages\/dev-env\/|^bench\//;
    expect(offenders((file) => file.text.includes('process.env') && !mayRead.test(file.path))).toEqual([]);
  });

  test('permissions.ts is pure: it decides over plain facts', () => {
    const isPermissions = (file: SourceFile) => file.path.endsWith('/permissions.ts');
    const hasInput = /^node:|^@parley\/shared\/(db|bus|rpc|service)$|\.sql$|context$/;
    expect(sources.some(isPermissions)).toBe(true);
    expect(offenders((file) => isPermissions(file) && file.imports.some((target) => hasInput.test(target)))).toEqual(
      [],
    );
    expect(offenders((file) => isPermissions(file) && /\basync\b|\bawait\b/.test(file.text))).toEqual([]);
  });

  test('rules take time from the context, not from the machine', () => {
    const isDomain = (file: SourceFile) =>
      /^services\/(realm|messages|invites|scheduler|events)\/src\/.+\//.test(file.path);
    expect(offenders((file) => isDomain(file) && /\bnew Date\(\)|\bDate\.now\(\)/.test(file.text))).toEqual([]);
  });

  test('folders stand on the floors that their README lists: they import from lower ones only', () => {
    const floors = filesLike('*/README.md').flatMap(floorsOf);
    expect(floors.flatMap(upwardImports)).toEqual([]);
    const roots = sources.flatMap(
      ({ path: name }) => /^((?:(?:packages|services)\/[^/]+|bench)\/src\/)[^/]+\//.exec(name)?.[1] ?? [],
    );
    const without = [...new Set(roots)].filter((root) => floors.every((each) => each.root !== root));
    expect(without).toEqual([]);
  });

  test('nothing lies in a drawer', () => {
    expect(offenders((file) => DRAWER_NAMES.test(file.path))).toEqual([]);
  });

  test(`no file is longer than ${MAX_FILE_LINES} lines, no function than ${MAX_FUNCTION_LINES}`, () => {
    const longFiles = sources.filter((file) => file.text.split('\n').length > MAX_FILE_LINES + 1);
    expect(longFiles.map((file) => `${file.path}: ${file.text.split('\n').length}`)).toEqual([]);
    expect(sources.flatMap(longFunctions)).toEqual([]);
  });

  test('every endpoint is part of the API and named in a test', () => {
    const declaring = sources.filter(
      (file) => file.path.includes('gateway/src/endpoints/') && / = endpoint\(/.test(file.text),
    );
    const names = declaring.flatMap((file) =>
      [...file.text.matchAll(/export const (\w+) = endpoint\(/g)].map(([, name]) => name as string),
    );
    expect(names.length).toBeGreaterThan(8);
    const list = sources.find((file) => file.path.endsWith('gateway/src/endpoints/index.ts'));
    const nameOf = (file: SourceFile) => `.${file.path.slice(file.path.indexOf('/endpoints/') + 10, -3)}`;
    const isListed = (file: SourceFile) => list?.text.includes(`export * from '${nameOf(file)}';`);
    expect(declaring.filter((file) => !isListed(file)).map(nameOf)).toEqual([]);
    const tests = testTexts();
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([]);
  });
});

/** Tracked or new, and not deleted. */
interface LateImport {
  folder: string;
  module: string;
  names: string[];
}

/** What a file takes by name from packages that are loaded when they are needed. */
function lateNames({ path: name, text }: SourceFile): LateImport[] {
  const awaited = text.matchAll(/\{([^{}]+)\} = await import\('([^'.][^']*)'\)/g);
  const chained = text.matchAll(/import\('([^'.][^']*)'\)\.then\(\(\{([^{}]+)\}/g);
  const all = [
    ...[...awaited].map(([, names = '', module = '']) => ({ names, module })),
    ...[...chained].map(([, module = '', names = '']) => ({ names, module })),
  ];
  const own = ({ module }: { module: string }) => module.startsWith('@parley/');
  return all
    .filter((each) => !own(each))
    .map(({ names, module }) => ({
      folder: path.join(ROOT, path.dirname(name)),
      module,
      names: names.split(',').map((each) => each.split(':')[0]?.trim() as string),
    }));
}

function hasNames(folder: string, module: string, names: readonly string[]): boolean {
  const script = `import(${JSON.stringify(module)}).then((all) => console.log(JSON.stringify(Object.keys(all))))`;
  const known = JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' }));
  return names.every((each) => known.includes(each));
}

function filesLike(pattern: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', pattern], { cwd: ROOT }).toString();
  return listed.split('\n').filter((name) => name !== '' && existsSync(path.join(ROOT, name)));
}

const isOfBrowser = ({ path: name }: SourceFile) => /^packages\/(web|client-model)\//.test(name);

/** The files that these load, and the packages, by name; imports of types load nothing. */
function loadedBy(files: readonly string[]): string[] {
  const loaded = new Set(files);
  for (const name of loaded) {
    const text = sources.find((file) => file.path === name)?.text ?? '';
    const imports = text.matchAll(/^(?:import|export) (?!type )(?:[^;']* from )?'([^'?]+)|\bimport\('([^']+)'/gm);
    for (const [, target, later] of imports) loaded.add(fileOf((target ?? later) as string, name));
  }
  return [...loaded];
}

/** The source that an import means; of other packages the import itself. */
function fileOf(target: string, from: string): string {
  const module = target
    .replace(/^@parley\/client-model\//, 'packages/client-model/src/')
    .replace(/^@parley\/shared\//, 'packages/shared/src/')
    .replace(/^(?=\.)/, `${path.posix.dirname(from)}/`);
  const base = path.posix.normalize(module);
  return ['', '.ts', '.tsx', '/index.ts'].map((ending) => base + ending).find(isSource) ?? target;
}

const isSource = (name: string) => sources.some((file) => file.path === name);

interface Floors {
  /** The root of the package or service, with a trailing slash. */
  root: string;
  /** From the top. */
  folders: string[];
}

function floorsOf(readme: string): Floors[] {
  const listed = /from the top:\s+([^.]*)\./i.exec(readFileSync(path.join(ROOT, readme), 'utf8'))?.[1];
  const folders = [...(listed ?? '').matchAll(/`([a-z-]+)`/g)].map(([, folder]) => folder as string);
  return listed === undefined ? [] : [{ root: `${path.dirname(readme)}/src/`, folders }];
}

/** Imports of types count, too. A folder that is not listed is an error as well. */
function upwardImports({ root, folders }: Floors): string[] {
  const folderOf = (file: string) =>
    file.startsWith(root) ? /^([^/]+)\//.exec(file.slice(root.length))?.[1] : undefined;
  const isUpward = (from: string, to: string) => folders.indexOf(to) < folders.indexOf(from) || !folders.includes(from);
  return sources.flatMap((file) => {
    const from = folderOf(file.path);
    if (from === undefined) return [];
    const targets = file.imports.filter((target) => target.startsWith('.'));
    const folder = (target: string) => {
      const module = path.posix.join(path.posix.dirname(file.path), target);
      const isFile = ['.ts', '.tsx'].some((ending) => existsSync(path.join(ROOT, module + ending)));
      return isFile ? folderOf(module) : folderOf(`${module}/`);
    };
    const upward = targets.filter((target) => {
      const to = folder(target);
      const isFolder = to !== undefined && to !== 'generated' && existsSync(path.join(ROOT, root, to));
      return isFolder && to !== from && isUpward(from, to);
    });
    return upward.map((target) => `${file.path}: ${target}`);
  });
}

function testTexts(): string {
  return filesLike('*.test.ts')
    .filter((name) => !name.endsWith('architecture.test.ts'))
    .map((name) => readFileSync(path.join(ROOT, name), 'utf8'))
    .join('\n');
}

interface Node {
  type?: string;
  span?: { start: number; end: number };
  identifier?: { value: string };
  key?: { value: string };
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'MethodProperty',
]);

interface LongFunction {
  name: string;
  where: string;
  lines: number;
}

/** Functions longer than allowed; the functions inside a function count. */
function longFunctions(file: SourceFile): LongFunction[] {
  // The span of a module begins with its first token: that is the semicolon, even where a comment stands first.
  const text = `;${file.text}`;
  const module = parseSync(text, { syntax: 'typescript', tsx: file.path.endsWith('.tsx') });
  const bytes = Buffer.from(text);
  const lineAt = (offset: number) =>
    bytes
      .subarray(0, offset - module.span.start)
      .toString()
      .split('\n').length;
  const found: LongFunction[] = [];

  function visit(node: unknown): void {
    if (node === null || typeof node !== 'object') return;
    const { type, span, identifier, key } = node as Node;
    if (type && span && FUNCTIONS.has(type)) {
      const first = lineAt(span.start);
      const lines = lineAt(span.end) - first + 1;
      const name = identifier?.value ?? key?.value ?? path.basename(file.path);
      if (lines > MAX_FUNCTION_LINES) found.push({ name, where: `${file.path}:${first}`, lines });
    }
    for (const child of Object.values(node)) visit(child);
  }

  visit(module.body);
  return found;
}
