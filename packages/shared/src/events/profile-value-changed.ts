import { declareEvent } from './declare-event';

export interface ProfileValueChanged {
  userId: number;
  fieldId: number;
  /** Null: the profile says nothing any more. */
  value: string | null;
  /** HTML; of texts only. */
  renderedValue?: string;
}

/** A profile says something else in one of its custom fields. Public event `realm_user`, for everybody. */
export const profileValueChanged = declareEvent<ProfileValueChanged>()('profile-value.changed', [
  {
    type: 'realm_user',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ userId, fieldId, value, renderedValue }) => ({
      type: 'realm_user',
      op: 'update',
      person: {
        user_id: userId,
        // Without a rendering there is no such member.
        custom_profile_field: { id: fieldId, value, rendered_value: renderedValue },
      },
    }),
  },
]);
