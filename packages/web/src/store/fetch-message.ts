import { call } from '../api/call';
import type { Message } from './messages';

/** A message as it is now, for views that do not have it. Rejects if it is gone, or not for this person. */
export async function fetchMessage(id: number): Promise<Message> {
  const parameters = { client_gravatar: false, allow_empty_topic_name: true };
  return (await call<{ message: Message }>('GET', `/messages/${id}`, parameters)).message;
}
