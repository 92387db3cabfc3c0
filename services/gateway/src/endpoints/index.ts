import type { Endpoint } from '../http/endpoint';
import { subscribe } from './channels/subscribe';
import { deleteQueue } from './events/delete-queue';
import { getEvents } from './events/get-events';
import { registerQueue } from './events/register-queue';
import { getMessage } from './messages/get-message';
import { getMessages } from './messages/get-messages';
import { sendMessage } from './messages/send-message';
import { getServerSettings } from './server/get-server-settings';
import { getOwnUser } from './users/get-own-user';

export {
  deleteQueue,
  getEvents,
  getMessage,
  getMessages,
  getOwnUser,
  getServerSettings,
  registerQueue,
  sendMessage,
  subscribe,
};

/** Every operation of the API. */
export const endpoints: readonly Endpoint[] = [
  getServerSettings,
  getOwnUser,
  sendMessage,
  getMessages,
  getMessage,
  subscribe,
  registerQueue,
  getEvents,
  deleteQueue,
];
