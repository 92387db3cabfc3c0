import type { ProfileField } from '../proto';
import { publicProfileField } from '../wire';
import { declareEvent } from './declare-event';

export interface ProfileFieldsChanged {
  /** All that the organization has now, in their order. */
  fields: ProfileField[];
}

/** An organization's custom profile fields, or their order, changed. Public event `custom_profile_fields`, for everybody. */
export const profileFieldsChanged = declareEvent<ProfileFieldsChanged>()('profile-fields.changed', [
  {
    type: 'custom_profile_fields',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ fields }) => ({ type: 'custom_profile_fields', fields: fields.map(publicProfileField) }),
  },
]);
