import type { Audience } from './audience';
import { declareEvent } from './declare-event';

export interface ProfileValueChanged {
  userId: number;
  /** Those who know the user. */
  audience: Audience;
  fieldId: number;
  /** Null: the profile says nothing any more. */
  value: string | null;
  /** HTML; of texts only. */
  renderedValue?: string;
}

/** A profile says something else in one of its custom fields. Public event `realm_user`, for those who know the user. */
export const profileValueChanged = declareEvent<ProfileValueChanged>()('profile-value.changed', [
  {
    type: 'realm_user',
    audience: ({ audience }) => audience,
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
