export { deactivateRealm } from './deactivate-realm';
export { getRealmIcon } from './get-realm-icon';
export { getRealmLogo } from './get-realm-logo';
export { removeRealmIcon } from './remove-realm-icon';
export { removeRealmLogo } from './remove-realm-logo';
export { setRealmIcon } from './set-realm-icon';
export { setRealmLogo } from './set-realm-logo';
export { updateRealm } from './update-realm';
