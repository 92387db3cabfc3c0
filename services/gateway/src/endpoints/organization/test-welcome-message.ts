import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, text } from '../../http/parameters';

const MAX_WELCOME_LENGTH = 8_000;

export const testWelcomeMessage = endpoint({
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Let the welcome bot say to oneself what it would say to new people; administrators only',
  auth: 'user',
  parameters: { welcome_message_custom_text: text(boundedText(MAX_WELCOME_LENGTH)) },
  result: z.strictObject({ message_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call, clientName }, { welcome_message_custom_text: content }) {
    const { userId } = await services.realm.getWelcomeBot(call, {});
    const { messageId } = await services.messages.sendMessage(
      { ...call, userId },
      {
        isDirect: true,
        recipientIds: [call.userId],
        recipientEmails: [],
        content,
        isReadBySender: false,
        clientName,
      },
    );
    return { message_id: messageId };
  },
});
