import { declareEvent } from './declare-event';

export interface InvitationsChanged {
  /** Who is told: those who administer the organization, bots included, and whoever invited. */
  receiverIds: number[];
  /** For the audit log; absent when nobody did it on purpose: somebody joined, or an account ended. */
  act?: InvitationAct;
}

/** What somebody did with invitations. */
export interface InvitationAct {
  name: 'send-invitations' | 'create-invitation-link' | 'revoke-invitation' | 'revoke-invitation-link';
  actorId: number;
  requestId: string;
  address?: string;
  kind: 'invitation' | 'invitation-link';
  ids: number[];
  /** Of what was made: what those who accept become. */
  after?: Record<string, unknown>;
}

/** What can still be accepted is not what it was; clients ask anew. Public event `invites_changed`, for those who see the list. */
export const invitationsChanged = declareEvent<InvitationsChanged>()('invitations.changed', [
  {
    type: 'invites_changed',
    audience: ({ receiverIds }) => ({ to: 'users', userIds: receiverIds }),
    variant: () => '',
    render: () => ({ type: 'invites_changed' }),
  },
]);
