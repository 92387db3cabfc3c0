import { RealmDeactivatedError } from '@parley/shared/errors';
import type { FillFacts, GetFillFactsRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import { listFillChannels, listFillPeople } from './fill.sql';

/** The writers and conversations for filling an organization with messages. */
export async function getFillFacts(ctx: Context, request: GetFillFactsRequest): Promise<FillFacts> {
  const realm = await getRealm(ctx, request);
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  const [people, channels] = await Promise.all([listFillPeople(ctx.db, realm.id), listFillChannels(ctx.db, realm.id)]);
  return { realmId: realm.id, people, channels };
}
