import { type SpawnOptions, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/** The account that runs PostgreSQL, which refuses to run as root. */
export interface PostgresAccount {
  /** The account that must own the data; absent: the one that runs this process. */
  owner?: { uid: number; gid: number };
  /** The command line and options that run a program as that account. */
  run(program: string, args: readonly string[]): { program: string; args: string[]; options: SpawnOptions };
}

const ROOT = 0;
const CANDIDATES = ['postgres', 'nobody'];

/**
 * The account that runs this process; for root the owner of the existing data, else a system account. `directory` must exist.
 * Throws if the account cannot access the directory or the program.
 */
export function findPostgresAccount(program: string, directory: string, dataDir: string): PostgresAccount {
  if (process.getuid?.() !== ROOT) return { run: (name, args) => ({ program: name, args: [...args], options: {} }) };
  const owner = ownerOf(dataDir) ?? systemAccount();
  const account = waysToRunAs(owner).find((way) => canReach(way, program, directory));
  if (account) return account;
  throw new Error(
    `PostgreSQL cannot run as root, and user ${owner.uid}, as whom it runs instead, cannot enter ${directory} or run ` +
      `${program}: keep DATA_DIR and the checkout where everybody may enter, or start as another user`,
  );
}

function ownerOf(dataDir: string): { uid: number; gid: number } | undefined {
  if (!existsSync(dataDir)) return undefined;
  const { uid, gid } = statSync(dataDir);
  return uid === ROOT ? undefined : { uid, gid };
}

function systemAccount(): { uid: number; gid: number } {
  for (const name of CANDIDATES) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(`PostgreSQL cannot run as root, and there is no user ${CANDIDATES.join(' or ')} as whom it could`);
}

/**
 * Tries without capabilities first. A checkout in root's home (mode 700) is inaccessible to other users: then the program gets a
 * capability that bypasses this (containers often grant only the second one).
 */
function waysToRunAs(owner: { uid: number; gid: number }): PostgresAccount[] {
  return [
    { owner, run: (program, args) => ({ program, args: [...args], options: owner }) },
    withCapability(owner, 'dac_read_search'),
    withCapability(owner, 'dac_override'),
  ];
}

function withCapability(owner: { uid: number; gid: number }, capability: string): PostgresAccount {
  const flags = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    // NOTE: without it the capability does not apply to access(), by which PostgreSQL looks for its own program.
    '--securebits=+no_setuid_fixup',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=+${capability}`,
    `--bounding-set=-all,+${capability}`,
  ];
  return {
    owner,
    run: (program, args) => ({ program: 'setpriv', args: [...flags, program, ...args], options: {} }),
  };
}

function canReach(account: PostgresAccount, program: string, directory: string): boolean {
  const probe = account.run('/bin/sh', ['-c', 'cd "$0" && exec "$1" --version', directory, program]);
  return spawnSync(probe.program, probe.args, { ...probe.options, stdio: 'ignore', cwd: '/' } as object).status === 0;
}
