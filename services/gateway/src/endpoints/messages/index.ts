export { getMessage } from './get-message';
export { getMessages } from './get-messages';
export { sendMessage } from './send-message';
