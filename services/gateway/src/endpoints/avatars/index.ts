export { removeAvatar } from './remove-avatar';
export { setAvatar } from './set-avatar';
