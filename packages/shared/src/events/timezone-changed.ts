import { declareEvent } from './declare-event';

export interface TimezoneChanged {
  userId: number;
  /** The API address. */
  email: string;
  timezone: string;
}

/** A user lives in another time zone. Public event `realm_user`, for everybody. */
export const timezoneChanged = declareEvent<TimezoneChanged>()('timezone.changed', [
  {
    type: 'realm_user',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ userId, email, timezone }) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: userId, email, timezone },
    }),
  },
]);
