import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Notice, noticeEvents } from './notice-events';

export type { Notice };

/**
 * Makes one of the service's own bots say something once the transaction is committed: the messages service sends each notice in
 * effect exactly once, in the order in which the organization announced them. Called last in an action, like announce().
 */
export async function announceNotice(tx: Transaction, realmId: number, ...notices: Notice[]): Promise<void> {
  await announce(tx, ...(await noticeEvents(tx, realmId, notices)));
}
