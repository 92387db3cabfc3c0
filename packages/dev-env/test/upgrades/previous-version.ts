import { execFileSync } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../../..');

/** While nothing is released. */
const BEFORE_RELEASES = 'edd8bbf1cb4cf7fef3a3e0e0d546dfd14e51cd1f';
const MAX_BYTES = 256 * 1024 * 1024;

/** In this repository. Throws with what git says. */
function git(...parameters: string[]): Buffer {
  return execFileSync('git', parameters, { cwd: ROOT, maxBuffer: MAX_BYTES, stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * The version that this one replaces in an upgrade: the last release (a tag such as v1.2.0) before this commit.
 * TEST_PREVIOUS_VERSION names another.
 */
export function previousVersion(): string {
  const { TEST_PREVIOUS_VERSION: given } = process.env;
  return given ? commitOf(given) : (lastRelease() ?? commitOf(BEFORE_RELEASES));
}

function commitOf(name: string): string {
  try {
    return git('rev-parse', '--verify', `${name}^{commit}`).toString().trim();
  } catch (error) {
    throw new Error(`${name} is not in this clone, so upgrades cannot be tested: git fetch --unshallow --tags`, {
      cause: error,
    });
  }
}

function lastRelease(): string | undefined {
  try {
    return commitOf(git('describe', '--tags', '--abbrev=0', '--match=v[0-9]*', 'HEAD~1').toString().trim());
  } catch {
    return undefined;
  }
}

/** The files below a folder, by path from the root. */
export function filesOf(version: string, folder: string): string[] {
  const listed = git('ls-tree', '-r', '--name-only', version, '--', folder).toString();
  return listed.split('\n').filter((name) => name !== '');
}

export function readFileOf(version: string, name: string): string {
  return git('show', `${version}:${name}`).toString();
}

/** A tar archive of these folders. */
export function archiveOf(version: string, folders: readonly string[]): Buffer {
  return git('archive', '--format=tar', version, ...folders);
}

/** Whether any of these files has the text. */
export function isMentioned(version: string, text: string, files: readonly string[]): boolean {
  try {
    git('grep', '--quiet', '--fixed-strings', '-e', text, version, '--', ...files);
    return true;
  } catch {
    return false;
  }
}
