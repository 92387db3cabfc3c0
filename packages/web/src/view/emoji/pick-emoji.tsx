import { withPart } from '../base/lazily';
import { showPopover } from '../base/menu';
import type { Emoji } from './emoji';

export { type Emoji, emojiText } from './emoji';

/** Lets the person choose an emoji beside the element. `take` is not called if none is chosen. */
export function pickEmoji(anchor: HTMLElement, take: (emoji: Emoji) => void): void {
  withPart(import('./emoji-picker'), ({ EmojiPicker }) => {
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
