import { declareEvent } from './declare-event';

export interface RealmDeactivated {
  realmId: number;
}

/** An organization is closed: its queues end with this. Public event `realm`, op `deactivated`, for everybody. */
export const realmDeactivated = declareEvent<RealmDeactivated>()('realm.deactivated', [
  {
    type: 'realm',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ realmId }) => ({ type: 'realm', op: 'deactivated', realm_id: realmId }),
  },
]);
