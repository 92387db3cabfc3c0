import { type Emoji, emojiText } from './emoji';
import { imageOf } from './vocabulary';

/** An emoji in a text or a button; screen readers get the name of a picture. */
export function EmojiPicture({ of }: { of: Omit<Emoji, 'reaction_type'> & { reaction_type: string } }) {
  const image = imageOf(of);
  if (image) return <img class="emoji" src={image} alt={`:${of.emoji_name}:`} width="20" height="20" />;
  return <span class="emoji">{emojiText(of)}</span>;
}
