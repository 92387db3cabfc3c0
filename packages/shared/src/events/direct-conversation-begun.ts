import { declareEvent } from './declare-event';

export interface DirectConversationBegun {
  /** By id, whoever wrote first included. */
  participantIds: number[];
}

/** The first message of a direct conversation was sent: its participants know each other from now on. */
export const directConversationBegun = declareEvent<DirectConversationBegun>()('direct-conversation.begun', []);
