import { showPopover } from '../base/menu';
import { attempt } from '../base/notices';
import type { Emoji } from './emoji';

export { type Emoji, emojiText } from './emoji';

/** Lets the person choose an emoji beside the element. `take` is not called if none is chosen. */
export function pickEmoji(anchor: HTMLElement, take: (emoji: Emoji) => void): void {
  void attempt(async () => {
    const { EmojiPicker } = await import('./emoji-picker');
    showPopover(anchor, (close) => (
      <EmojiPicker
        take={(emoji) => {
          close();
          take(emoji);
        }}
      />
    ));
  });
}
