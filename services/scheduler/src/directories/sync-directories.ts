import { runPeriodically } from '@parley/shared/jobs';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';

/** How often a replica asks which directories are due. */
const POLL_MS = 5_000;
/** Organizations at a time; one whose directory does not answer takes seconds. */
const SYNCS_AT_ONCE = 16;

type Needed = Pick<Context, 'clock' | 'log' | 'services' | 'config'>;

export interface DirectorySyncs {
  /** Syncs the directories that are due; for tests. Resolves when all are done. */
  runOnce(): Promise<void>;
  /** Resolves when this replica has finished its present steps. */
  stop(): Promise<void>;
}

/**
 * Has realm sync each organization's LDAP directory every LDAP_SYNC_INTERVAL_SECS. Realm lets one sync of a directory run at a time, so
 * replicas need not agree.
 */
export function syncDirectoriesPeriodically(ctx: Needed): DirectorySyncs {
  const running = new Map<string, Promise<void>>();
  const failure = 'could not ask for directories to sync';
  const stop = runPeriodically(ctx, { everyMs: POLL_MS, failure }, (stopping) => begin(ctx, running, stopping));
  return {
    async runOnce() {
      await begin(ctx, running, new AbortController().signal);
      await Promise.all(running.values());
    },
    async stop() {
      await stop();
      await Promise.all(running.values());
    },
  };
}

/** Begins the syncs that are due, and does not wait for them: a slow directory delays no other. */
async function begin(ctx: Needed, running: Map<string, Promise<void>>, stopping: AbortSignal): Promise<void> {
  const olderThanMs = ctx.config.LDAP_SYNC_INTERVAL_SECS * 1_000;
  const { subdomains } = await ctx.services.realm.listLdapDirectories(newCall(), { olderThanMs });
  for (const subdomain of subdomains) {
    if (running.size >= SYNCS_AT_ONCE || stopping.aborted) return;
    if (running.has(subdomain)) continue;
    const sync = syncDirectory(ctx, subdomain, stopping).finally(() => running.delete(subdomain));
    running.set(subdomain, sync);
  }
}

/** Repeats steps until nothing is left to do; a failure is tried again when the directory is due again. */
async function syncDirectory(
  { services, log }: Pick<Needed, 'services' | 'log'>,
  subdomain: string,
  stopping: AbortSignal,
): Promise<void> {
  try {
    while (!stopping.aborted) {
      const { isComplete } = await services.realm.syncLdapDirectory(newCall(), { subdomain });
      if (isComplete) return;
    }
  } catch (error) {
    log.warn({ subdomain, err: error }, 'a directory could not be synced; will be tried again');
  }
}
