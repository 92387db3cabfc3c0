export { getRealmPresence } from './get-realm-presence';
export { getUserPresence } from './get-user-presence';
export { updatePresence } from './update-presence';
