import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type InvitationAct, invitationsChanged } from '@parley/shared/events';
import type { Caller } from '@parley/shared/rpc';

type Act = Omit<InvitationAct, 'actorId' | 'requestId' | 'address'>;

/** Tells those who administer the organization, and whoever invited, that the list of invitations is another one now, by whose act. */
export async function announceInvitationsChanged(
  tx: Transaction,
  { realmId, userId: actorId, requestId, clientAddress: address }: Caller,
  receivers: { administratorIds: readonly number[]; referrerId: number },
  act: Act,
): Promise<void> {
  const receiverIds = [...new Set([...receivers.administratorIds, receivers.referrerId])];
  const origin = address === undefined ? {} : { address };
  await announce(tx, invitationsChanged(realmId, { receiverIds, act: { ...act, actorId, requestId, ...origin } }));
}
