export { acceptInvitation } from './accept-invitation';
export { createInvitationLink } from './create-invitation-link';
export { listInvitations } from './list-invitations';
export { lookUpInvitation } from './look-up-invitation';
export { resendInvitation } from './resend-invitation';
export { revokeInvitation } from './revoke-invitation';
export { revokeInvitationLink } from './revoke-invitation-link';
export { sendInvitations } from './send-invitations';
