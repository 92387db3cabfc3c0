import { newCall, type RpcClient } from '@parley/shared/rpc';
import { eg } from './eg';

/** Creates the private channel of `eg`, on behalf of the organization's owner. Does nothing if it exists. */
export async function createLeads(
  realm: RpcClient<'realm'>,
  owner: { realmId: number; userId: number },
): Promise<void> {
  const { name, description, memberEmails } = eg.leads;
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };
  await realm.subscribe(caller, {
    channels: [{ name, description, color: '' }],
    principalIds: [],
    principalEmails: [...memberEmails],
    areAuthorizationErrorsFatal: true,
    sendsNotices: false,
    newChannel: {
      ...{ isPrivate: true, isWebPublic: false, isDefault: false, isAnnounced: false },
      ...{ topicsPolicy: 'inherit', groupSettings: {} },
    },
  });
}
