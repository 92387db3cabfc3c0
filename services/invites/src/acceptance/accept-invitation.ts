import type { AcceptInvitationRequest, AcceptInvitationResponse } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { acceptByMail } from './accept-by-mail';
import { accessKey } from './access-key';
import { confirmAddress } from './confirm-address';
import { type AttemptLimit, limitAttempts } from './limit-attempts';

/** Enough for somebody who is looking for a password that will do; each attempt costs as much as a sign-in. */
const ATTEMPTS_BY_KEY: AttemptLimit = { maxAttempts: 20, windowMs: 10 * 60_000 };
const ATTEMPTS_BY_LINK: AttemptLimit = { maxAttempts: 200, windowMs: 10 * 60_000 };

/** Lets somebody in by a key: at once by that of a mail; by a reusable link once they have proved their address by a mail. */
export async function acceptInvitation(
  ctx: Context,
  call: Call,
  request: AcceptInvitationRequest,
): Promise<AcceptInvitationResponse> {
  const { realmId, key } = request;
  const { invitationId, linkId } = await accessKey(ctx, realmId, key);
  await limitAttempts(ctx, realmId, `key ${key}`, linkId === null ? ATTEMPTS_BY_KEY : ATTEMPTS_BY_LINK);
  return linkId === null
    ? acceptByMail(ctx, call, request, invitationId as number)
    : confirmAddress(ctx, call, request, linkId);
}
