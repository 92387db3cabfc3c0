import type { Transaction } from '@parley/shared/db';
import { putDueJob } from '../due-jobs';
import { CALLS_PER_BOT, deliveryJob } from './delivery';
import { takeWaiting } from './delivery.sql';

/** Begins as many of a bot's waiting deliveries as there is room for. The bot is locked. */
export async function beginWaiting(
  tx: Transaction,
  { realmId, botId }: { realmId: number; botId: number },
  nowMs: number,
): Promise<void> {
  for (const id of await takeWaiting(tx, realmId, botId, CALLS_PER_BOT)) {
    await putDueJob(tx, deliveryJob(realmId, id), nowMs);
  }
}
