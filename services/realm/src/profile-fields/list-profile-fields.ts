import type { ProfileFields } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listProfileFieldsOf } from './profile-fields.sql';

/** The organization's custom profile fields, in their order. For everybody. */
export async function listProfileFields(ctx: Context, { realmId }: Caller): Promise<ProfileFields> {
  return { fields: await listProfileFieldsOf(ctx.db, realmId) };
}
