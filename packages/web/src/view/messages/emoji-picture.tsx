import type { JSX } from 'preact';
import { read } from '../../store/model';
import { charactersOf } from '../emoji/emoji';

/** As reactions and statuses name an emoji. */
interface EmojiName {
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
}

export const isKnownEmoji = ({ emoji_code: code }: EmojiName) => code !== undefined && code !== '';

/** The character, or the picture of a custom emoji. */
export function pictureOf({
  emoji_name: name = '',
  emoji_code: code = '',
  reaction_type: type,
}: EmojiName): JSX.Element {
  if (type === 'unicode_emoji') {
    const isValid = /^[0-9a-f]{2,5}(?:-[0-9a-f]{2,5})*$/.test(code);
    return <span class="emoji">{isValid ? charactersOf(code) : `:${name}:`}</span>;
  }
  const custom = read('settings').realm_emoji?.[code];
  const address = type === 'realm_emoji' ? custom?.source_url : undefined;
  return address ? <img class="emoji" src={address} alt={`:${name}:`} /> : <span class="emoji">:{name}:</span>;
}
