import { BadRequestError } from '@parley/shared/errors';
import type { MailBounce, Operated, Organization, User } from '@parley/shared/proto';
import { type Caller, newCall, OPERATOR_ADDRESS, type RpcClient } from '@parley/shared/rpc';
import { text, withoutUndefined } from './options';

interface Named {
  realm: string;
  as?: string | undefined;
}

export interface OperatedRealm {
  organization: Organization;
  /** The named member, or an owner: the command acts in their name, and under their permissions. */
  actor: Caller;
}

/** The member in whose name a command acts; absent: an owner. */
export const as = text('EMAIL').optional();

/** The organization of a command. */
export async function operatedRealm(realm: RpcClient<'realm'>, named: Named): Promise<OperatedRealm> {
  return operatedIn(await realm.getOperated(newCall(), requestFor(named)));
}

/** The same, with one of its accounts. */
export async function operatedUser(
  realm: RpcClient<'realm'>,
  named: Named & { email: string },
): Promise<OperatedRealm & { user: User; mailBounce: MailBounce | null }> {
  const operated = await realm.getOperated(newCall(), { ...requestFor(named), userEmail: named.email });
  return { ...operatedIn(operated), user: operated.user as User, mailBounce: operated.mailBounce };
}

/** The ids of accounts, by address. Throws, with the address, if there is none. */
export async function operatedIds(
  service: RpcClient<'realm'>,
  realm: string,
  emails: readonly string[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const email of emails) {
    const { user } = await operatedUser(service, { realm, email }).catch((error: Error) => {
      throw error instanceof BadRequestError ? new Error(`${error.message}: ${email}`) : error;
    });
    ids.push(user.id);
  }
  return ids;
}

/** The account as a caller, for actions on its own keys and queues. */
export function asCaller({ realmId, id }: User): Caller {
  return callerOf(realmId, id);
}

function requestFor({ realm: subdomain, as: actorEmail }: Named) {
  return { subdomain, ...withoutUndefined({ actorEmail }) };
}

function operatedIn({ realm, actorId }: Operated): OperatedRealm {
  const organization = realm as Organization;
  return { organization, actor: callerOf(organization.id, actorId) };
}

function callerOf(realmId: number, userId: number): Caller {
  return { ...newCall(), realmId, userId, clientAddress: OPERATOR_ADDRESS };
}
