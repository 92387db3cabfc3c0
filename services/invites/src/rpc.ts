import { readOutboxLag, refillLog } from '@parley/shared/bus';
import { readSnapshot } from '@parley/shared/db';
import { listUndeliveredMails } from '@parley/shared/mail';
import { byCaller, type Implementation } from '@parley/shared/rpc';
import { acceptInvitation } from './acceptance/accept-invitation';
import { lookUpInvitation } from './acceptance/look-up-invitation';
import type { Context } from './context';
import { deleteEndedInvitations, purgeRealm } from './invitations/end-invitations';
import { createInvitationLink, revokeInvitationLink } from './invitations/invitation-links';
import { listInvitations, resendInvitation, revokeInvitation } from './invitations/invitations';
import { sendInvitations } from './invitations/send-invitations';

/** Before they change anything they call realm on behalf of the caller. */
export const CONFIRMED_WITHIN = ['sendInvitations', 'createInvitationLink'] as const;

/** Every method of proto/invites.proto and its action. */
export function implementation(ctx: Context): Implementation<'invites'> {
  return {
    sendInvitations: byCaller((caller, request) => sendInvitations(ctx, caller, request)),
    createInvitationLink: byCaller((caller, request) => createInvitationLink(ctx, caller, request)),
    listInvitations: byCaller((caller) => listInvitations(ctx, caller)),
    revokeInvitation: byCaller((caller, request) => revokeInvitation(ctx, caller, request)),
    revokeInvitationLink: byCaller((caller, request) => revokeInvitationLink(ctx, caller, request)),
    deleteEndedInvitations: () => deleteEndedInvitations(ctx),
    purgeRealm: (_call, request) => purgeRealm(ctx, request),
    getOutboxLag: () => readOutboxLag(ctx.db),
    getSnapshot: () => readSnapshot(ctx.db),
    refillLog: ({ requestId }, request) => refillLog(ctx.db, { service: 'invites', requestId }, request),
    listUndeliveredMails: () => listUndeliveredMails(ctx.db),
    resendInvitation: byCaller((caller, request) => resendInvitation(ctx, caller, request)),
    lookUpInvitation: (call, request) => lookUpInvitation(ctx, call, request),
    acceptInvitation: (call, request) => acceptInvitation(ctx, call, request),
  };
}
