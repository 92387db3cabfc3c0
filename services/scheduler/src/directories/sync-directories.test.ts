import { silentLogger } from '@parley/shared/service';
import { createFakeClock } from '@parley/shared/testing';
import type { Context } from '../context';
import { type DirectorySyncs, syncDirectoriesPeriodically } from './sync-directories';

const clock = createFakeClock();
const started: DirectorySyncs[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((syncs) => syncs.stop()));
});

/** A scheduler whose realm answers by these functions, and the subdomains that it was asked to sync. */
function start(due: string[], step: (subdomain: string) => Promise<{ isComplete: boolean }>) {
  const asked: string[] = [];
  const olderThan: number[] = [];
  const realm = {
    listLdapDirectories: async (_call: unknown, { olderThanMs }: { olderThanMs: number }) => {
      olderThan.push(olderThanMs);
      return { subdomains: due };
    },
    syncLdapDirectory: async (_call: unknown, { subdomain }: { subdomain: string }) => {
      asked.push(subdomain);
      return step(subdomain);
    },
  };
  const ctx = { clock, log: silentLogger, config: { LDAP_SYNC_INTERVAL_SECS: 30 }, services: { realm } };
  const syncs = syncDirectoriesPeriodically(ctx as unknown as Context);
  started.push(syncs);
  return { syncs, asked, olderThan };
}

test('each directory that is due is synced, step by step until nothing is left', async () => {
  let left = 3;
  const { syncs, asked, olderThan } = start(['acme', 'other'], async (subdomain) => {
    if (subdomain === 'acme') left -= 1;
    return { isComplete: subdomain === 'other' || left === 0 };
  });
  await syncs.runOnce();
  expect(asked.sort()).toEqual(['acme', 'acme', 'acme', 'other']);
  expect(olderThan).toEqual([30_000]);
});

test('a sync that fails or takes long delays no other, and is not begun twice', async () => {
  let release = () => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { syncs, asked } = start(['broken', 'slow', 'acme'], async (subdomain) => {
    if (subdomain === 'broken') throw new Error('broken');
    if (subdomain === 'slow') await slow;
    return { isComplete: true };
  });
  const [first, second] = [syncs.runOnce(), syncs.runOnce()];
  await Promise.resolve();
  release();
  await Promise.all([first, second]);
  expect(asked.filter((subdomain) => subdomain === 'slow')).toHaveLength(1);
  expect(asked).toContain('acme');
});
