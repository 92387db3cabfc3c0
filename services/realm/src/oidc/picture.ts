import { announce } from '@parley/shared/bus';
import type { User } from '@parley/shared/proto';
import { findUser, lockUser } from '../accounts/users.sql';
import { changeAvatar, makeAvatar } from '../avatars/avatars';
import type { Context } from '../context';
import type { Claims } from './claims';
import { faultOf } from './provider-client';

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Gives a new account the picture that the provider names. One that does not come, or is no picture, is none: the sign-in goes on. */
export async function setPicture(ctx: Context, user: User, { picture }: Claims): Promise<void> {
  if (typeof picture !== 'string' || !/^https?:\/\//.test(picture)) return;
  try {
    const answer = await ctx.outside({ url: picture, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, maxRedirects: 3 });
    if (answer.status !== 200) return;
    await store(ctx, user, await makeAvatar(answer.body));
  } catch (error) {
    ctx.log.info({ realmId: user.realmId, userId: user.id, reason: faultOf(error) }, 'a picture was not taken over');
  }
}

async function store(
  ctx: Context,
  { realmId, id }: User,
  avatar: Awaited<ReturnType<typeof makeAvatar>>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, id);
    const user = await findUser(tx, realmId, id);
    if (!user?.isActive) return;
    const { events } = await changeAvatar(tx, user, avatar);
    await announce(tx, ...events);
  });
}
