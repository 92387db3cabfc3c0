export { createProfileField } from './create-profile-field';
export { listProfileFields } from './list-profile-fields';
export { removeProfileField } from './remove-profile-field';
export { reorderProfileFields } from './reorder-profile-fields';
export { updateProfileField } from './update-profile-field';
