import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Options, transformFile } from '@swc/core';
import { archiveOf, ROOT } from './previous-version';

const PRISMA = path.join(ROOT, 'node_modules/prisma-cli/build/index.js');
const SWC: Options = {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
  swcrc: false,
};
const LAID_OUT = ['proto', 'packages/shared', 'services', 'tsconfig.base.json'];
/** Types only: compiled, there is nothing in it. */
const PROTO_TYPES = 'packages/shared/dist/generated/index.js';
/** Of the version here: gateways serve it to browsers, of which there are none in an upgrade. */
const WEB_CLIENT = 'packages/web/dist';

/** Checks out another version of the services into an empty directory and compiles it, with the packages installed here. */
export async function buildVersion(version: string, directory: string): Promise<void> {
  execFileSync('tar', ['-x', '-C', directory], { input: archiveOf(version, LAID_OUT) });
  const workspaces = [
    'packages/shared',
    ...readdirSync(path.join(directory, 'services')).map((name) => `services/${name}`),
  ];
  linkPackages(directory, workspaces);
  await Promise.all(workspaces.map((workspace) => generatePrisma(path.join(directory, workspace))));
  for (const workspace of workspaces) await compile(path.join(directory, workspace));
  mkdirSync(path.dirname(path.join(directory, PROTO_TYPES)), { recursive: true });
  writeFileSync(path.join(directory, PROTO_TYPES), '');
  mkdirSync(path.join(directory, path.dirname(WEB_CLIENT)));
  symlinkSync(path.join(ROOT, WEB_CLIENT), path.join(directory, WEB_CLIENT));
}

function linkPackages(directory: string, workspaces: readonly string[]): void {
  const link = (target: string, ...names: string[]) => symlinkSync(target, path.join(directory, ...names));
  mkdirSync(path.join(directory, 'node_modules/@parley'), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    if (name !== '@parley') link(path.join(ROOT, 'node_modules', name), 'node_modules', name);
  }
  // NOTE: versions before 0.1.0 know Prisma's command line by its own name.
  if (!existsSync(path.join(directory, 'node_modules/prisma')))
    link(path.join(ROOT, 'node_modules/prisma-cli'), 'node_modules/prisma');
  for (const workspace of workspaces) {
    link(path.join(directory, workspace), 'node_modules/@parley', path.basename(workspace));
    const own = path.join(ROOT, workspace, 'node_modules');
    if (existsSync(own)) link(own, workspace, 'node_modules');
  }
}

async function generatePrisma(workspace: string): Promise<void> {
  if (!existsSync(path.join(workspace, 'prisma.config.ts'))) return;
  await promisify(execFile)(process.execPath, [PRISMA, 'generate'], { cwd: workspace });
}

async function compile(workspace: string): Promise<void> {
  const source = path.join(workspace, 'src');
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const compiled = names.filter((name) => name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(name));
  await Promise.all(
    compiled.map(async (name) => {
      const { code } = await transformFile(path.join(source, name), SWC);
      const target = path.join(workspace, 'dist', name.replace(/\.ts$/, '.js'));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, code);
    }),
  );
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    cpSync(path.join(source, name), path.join(workspace, 'dist', name));
  }
}
