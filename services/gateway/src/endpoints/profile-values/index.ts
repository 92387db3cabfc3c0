export { removeProfileValues } from './remove-profile-values';
export { setProfileValues } from './set-profile-values';
