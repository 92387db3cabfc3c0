import type { NewAccount } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { createLeads } from '../cast/create-leads';
import { eg } from '../cast/eg';
import type { Cast } from './cast-databases';

type Realm = RpcClient<'realm'>;

/** Creates the cast: its two organizations, its accounts and the private channel. */
export async function seed(realm: Realm): Promise<Cast> {
  const iris = await createRealm(realm, eg.home, eg.iris);
  const zoe = await createRealm(realm, eg.away, eg.zoe);
  const dan = await createUser(realm, eg.dan);
  const eve = await createUser(realm, eg.eve);
  const faye = await createUser(realm, eg.faye);
  const robo = await createUser(realm, { ...eg.robo, botOwnerEmail: eg.dan.email });
  await createLeads(realm, iris);
  return { iris, dan, eve, faye, robo, zoe };
}

function createRealm(
  realm: Realm,
  { name, subdomain }: { name: string; subdomain: string },
  { email, fullName }: { email: string; fullName: string },
): Promise<NewAccount> {
  return realm.createRealm(newCall(), { name, subdomain, ownerEmail: email, ownerName: fullName });
}

function createUser(
  realm: Realm,
  person: { email: string; fullName: string; role: number; botType?: number; botOwnerEmail?: string },
): Promise<NewAccount> {
  return realm.createUser(newCall(), { subdomain: eg.home.subdomain, ...person });
}
