import type { Linkifiers } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listLinkifiersOf } from './linkifiers.sql';

/** The organization's linkifiers, in the order in which they are applied. For everybody. */
export async function listLinkifiers(ctx: Context, { realmId }: Caller): Promise<Linkifiers> {
  return { linkifiers: await listLinkifiersOf(ctx.db, realmId) };
}
