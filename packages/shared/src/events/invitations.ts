import { declareEvent } from './declare-event';

export interface InvitationsChanged {
  /** Administrators of the organization, bots included, and the inviter. */
  receiverIds: number[];
  /** For the audit log; absent for a consequence: an invited person joined, or an account ended. */
  act?: InvitationAct;
}

/** An act on invitations. */
export interface InvitationAct {
  name: 'send-invitations' | 'create-invitation-link' | 'revoke-invitation' | 'revoke-invitation-link';
  actorId: number;
  requestId: string;
  address?: string;
  kind: 'invitation' | 'invitation-link';
  ids: number[];
  /** For a new invitation: its role, channels and groups, for the audit log. */
  after?: Record<string, unknown>;
}

/** The list of open invitations has changed; clients fetch it again. Public event `invites_changed`, for users who may see the list. */
export const invitationsChanged = declareEvent<InvitationsChanged>()('invitations.changed', [
  {
    type: 'invites_changed',
    audience: ({ receiverIds }) => ({ to: 'users', userIds: receiverIds }),
    variant: () => '',
    render: () => ({ type: 'invites_changed' }),
  },
]);
