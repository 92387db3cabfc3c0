import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Notice, noticeEvents } from './notice-events';

export type { Notice };

/**
 * Announces a message of a system bot: after the commit, the messages service sends each notice exactly once, in the organization's
 * order. Called last in an action, like announce().
 */
export async function announceNotice(tx: Transaction, realmId: number, ...notices: Notice[]): Promise<void> {
  await announce(tx, ...(await noticeEvents(tx, realmId, notices)));
}
