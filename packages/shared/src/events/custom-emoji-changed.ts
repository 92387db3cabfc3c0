import type { CustomEmoji } from '../proto';
import { publicCustomEmoji } from '../wire';
import { declareEvent } from './declare-event';

export interface CustomEmojiChanged {
  /** All that the organization ever had, deactivated ones included. */
  emoji: CustomEmoji[];
}

/** A custom emoji was added or deactivated. Public event `realm_emoji`, for everybody. */
export const customEmojiChanged = declareEvent<CustomEmojiChanged>()('custom-emoji.changed', [
  {
    type: 'realm_emoji',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ emoji }) => ({ type: 'realm_emoji', op: 'update', realm_emoji: publicCustomEmoji(emoji) }),
  },
]);
