import { BadRequestError } from '@parley/shared/errors';
import type { GetAttentionsRequest, GetAttentionsResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { loadAttentions } from './attentions.sql';

const MAX_USERS = 1_000;

/** Alert words, mutes and related settings of each user; empty for unknown users. */
export async function getAttentions(ctx: Context, { users }: GetAttentionsRequest): Promise<GetAttentionsResponse> {
  if (users.length > MAX_USERS) throw new BadRequestError(`Too many users in one call (limit: ${MAX_USERS})`);
  return { attentions: await loadAttentions(ctx.db, users) };
}
