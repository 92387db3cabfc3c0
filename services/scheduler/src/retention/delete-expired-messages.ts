import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { attempt } from './attempt';
import { repeatStep } from './repeat-step';

type Needed = Pick<Context, 'log' | 'services'>;

/** Deletes the messages that are kept no longer, organization by organization: what fails in one holds up no other. */
export async function deleteExpiredMessages(ctx: Needed, stopping: AbortSignal): Promise<boolean> {
  const { realm, messages } = ctx.services;
  const { realms } = await realm.listRetention(newCall(), {});
  let isDone = true;
  for (const { realmId } of realms) {
    const step = () => messages.deleteExpiredMessages(newCall(), { realmId });
    isDone = (await attempt(ctx.log, { realmId }, () => repeatStep(stopping, step))) && isDone;
  }
  return isDone;
}
