import type { Audience } from './audience';
import { declareEvent } from './declare-event';

export interface ChannelBeginningChanged {
  /** COMPAT: the name was shown by versions before `channel.first-message-told`; empty where `audience` is nobody. */
  channel: { id: number; name: string };
  /** As of the transaction; null: nothing is left in it. */
  firstMessageId: number | null;
  /** COMPAT: these were told of it by those versions. */
  audience: Audience;
}

/** Another message, or none, is the first of a channel now; the realm service tells all who may know of the channel. */
export const channelBeginningChanged = declareEvent<ChannelBeginningChanged>()('channel.beginning-changed', []);
