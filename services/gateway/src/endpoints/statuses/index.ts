export { getUserStatus } from './get-user-status';
export { updateOwnStatus } from './update-own-status';
export { updateUserStatus } from './update-user-status';
