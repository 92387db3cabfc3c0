import { deleteRowsOfRealm } from '@parley/shared/db';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { attempt } from './attempt';
import { repeatStep } from './repeat-step';
import { TABLES } from './retention.sql';

const BATCH_SIZE = 1_000;

type Needed = Pick<Context, 'db' | 'log' | 'services'>;

/** Deletes what there is of closed organizations whose data is to be deleted by now. */
export async function purgeRealms(ctx: Needed, stopping: AbortSignal): Promise<boolean> {
  const { realmIds } = await ctx.services.realm.listRealmsToPurge(newCall(), {});
  let isDone = true;
  for (const realmId of realmIds) {
    isDone = (await attempt(ctx.log, { realmId }, () => purgeRealm(ctx, realmId, stopping))) && isDone;
  }
  return isDone;
}

/** Realm comes last: by its row the others are found again. Files that are not gone yet are waited for until the next time. */
async function purgeRealm({ db, log, services }: Needed, realmId: number, stopping: AbortSignal): Promise<boolean> {
  const { messages, invites, realm } = services;
  const steps = [
    () => deleteRowsOfRealm(db, TABLES, realmId, BATCH_SIZE),
    () => invites.purgeRealm(newCall(), { realmId }),
    () => messages.purgeRealm(newCall(), { realmId }),
    () => realm.purgeRealm(newCall(), { realmId }),
  ];
  for (const step of steps) {
    if (!(await repeatStep(stopping, step))) return false;
  }
  log.info({ realmId }, 'the data of an organization was deleted');
  return true;
}
