export { muteUser } from './mute-user';
export { unmuteUser } from './unmute-user';
