import type { Message } from '../proto';
import { declareEvent } from './declare-event';
import type { MessageSent } from './message-sent';

/** A channel message after an edit of its content, as far as it says whom it concerns. */
export interface MentionsChanged
  extends Pick<
    MessageSent,
    'subscriptionVersion' | 'readByIds' | 'mentionedIds' | 'mentionsChannel' | 'mentionsTopic' | 'topicParticipantIds'
  > {
  message: Pick<Message, 'id' | 'channelId' | 'topic' | 'participants' | 'content' | 'sentAtMs'> & {
    sender: { id: number };
  };
  editedAtMs: number;
  /** Users whom it mentions, by name or group, only since the edit. */
  addedIds: number[];
  /** It mentions the channel or topic only since the edit. */
  addsWildcard: boolean;
}

/** An edit has changed whom a channel message mentions; the scheduler tells people who are away. */
export const mentionsChanged = declareEvent<MentionsChanged>()('mentions.changed', []);
