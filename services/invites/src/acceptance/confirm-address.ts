import { BadRequestError, MissingParameterError } from '@parley/shared/errors';
import type { AcceptanceFacts, AcceptInvitationRequest, AcceptInvitationResponse } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { noSuchInvitation } from '../invitations/no-such-invitation';
import { sortAddresses } from '../invitations/sort-addresses';
import { deleteMailJobs, insertMailJobs } from '../mail-jobs/mail-jobs.sql';
import { type AttemptLimit, limitAttempts } from './limit-attempts';
import { findOpenLink, inviteByLink } from './link-invitations.sql';

const HOUR_MS = 60 * 60_000;
/** Mails to one address that somebody with a link has sent there, who may be anybody. */
const MAILS_TO_ADDRESS: AttemptLimit = { maxAttempts: 3, windowMs: HOUR_MS };
const VALID_MS = 24 * HOUR_MS;

/** Sends whoever comes by a reusable link an invitation of their own: nobody gets an account with an address that is not theirs. */
export async function confirmAddress(
  ctx: Context,
  call: Call,
  { realmId, email: sentEmail }: AcceptInvitationRequest,
  linkId: number,
): Promise<AcceptInvitationResponse> {
  if (sentEmail === undefined) throw new MissingParameterError('email');
  const email = sentEmail.trim();
  if (!(await findOpenLink(ctx.db, realmId, linkId, ctx.clock.now()))) throw noSuchInvitation();
  const facts = await ctx.services.realm.getAcceptanceFacts(call, { realmId, emails: [email] });
  requireUsable(email, facts);
  await limitAttempts(ctx, realmId, `address ${email.toLowerCase()}`, MAILS_TO_ADDRESS);
  await store(ctx, { realmId, linkId, email, facts });
  return { isConfirmationRequired: true, userId: 0, email: '', deliveryEmail: email, apiKey: '' };
}

function requireUsable(email: string, { addresses }: AcceptanceFacts): void {
  const { invalid, taken } = sortAddresses([email], addresses);
  const [fault] = [...invalid, ...taken];
  if (fault) throw new BadRequestError(fault[1]);
}

async function store(
  { db, clock }: Context,
  { realmId, linkId, email, facts }: { realmId: number; linkId: number; email: string; facts: AcceptanceFacts },
): Promise<void> {
  const nowMs = clock.now();
  const { organizationName, subdomain } = facts;
  await db.transaction(async (tx) => {
    const id = await inviteByLink(tx, realmId, linkId, { email, nowMs, validMs: VALID_MS });
    if (id === null) throw noSuchInvitation();
    await deleteMailJobs(tx, realmId, [id]);
    const job = { realmId, template: 'address-confirmation', createdAtMs: nowMs, dueAtMs: nowMs } as const;
    await insertMailJobs(tx, { ...job, content: { organizationName, subdomain } }, [{ id, email }]);
  });
}
