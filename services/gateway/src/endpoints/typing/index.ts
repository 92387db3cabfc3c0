export { setEditTypingStatus } from './set-edit-typing-status';
export { setTypingStatus } from './set-typing-status';
