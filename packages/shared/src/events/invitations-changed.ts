import { declareEvent } from './declare-event';

export interface InvitationsChanged {
  /** Who is told: those who administer the organization, bots included, and whoever invited. */
  receiverIds: number[];
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
