import { showMenu } from '../base/menu';

/** An emoji as reactions name it. */
export interface Emoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
}

/** Lets the person choose an emoji beside the element. `take` is not called if none is chosen. */
export function pickEmoji(anchor: HTMLElement, take: (emoji: Emoji) => void): void {
  const thumb: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
  showMenu(anchor, [{ label: '👍', run: () => take(thumb) }]);
}
