import type { Submessage } from '../proto';
import type { Audience } from './audience';
import { declareEvent } from './declare-event';

export interface SubmessageAdded {
  submessage: Submessage;
  audience: Audience;
}

/** Something was done with a widget, a vote in a poll for instance. Public event `submessage`, for whoever has the message. */
export const submessageAdded = declareEvent<SubmessageAdded>()('submessage.added', [
  {
    type: 'submessage',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ submessage }) => ({
      type: 'submessage',
      msg_type: submessage.msgType,
      message_id: submessage.messageId,
      submessage_id: submessage.id,
      sender_id: submessage.senderId,
      content: submessage.content,
    }),
  },
]);
