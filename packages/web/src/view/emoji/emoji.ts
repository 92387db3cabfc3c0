/** An emoji as reactions name it. */
export interface Emoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
}

/** Joiners, and modifiers after a sign that is an emoji by itself. */
const NEEDS_NOTHING = /\p{Emoji_Presentation}|\p{Emoji_Modifier}|[\u200d\u20e3\u{e0020}-\u{e007f}]/u;

/** The characters of a code like `1f1fa-1f1f8`. Signs that are text by default get the selector that makes them emoji. */
export function charactersOf(code: string): string {
  const signs = code.split('-').map((point) => String.fromCodePoint(Number.parseInt(point, 16)));
  return signs.map((sign) => (NEEDS_NOTHING.test(sign) ? sign : `${sign}\uFE0F`)).join('');
}

/** An emoji as text: its characters, or the name of one that is a picture. */
export function emojiText({
  emoji_code,
  emoji_name,
  reaction_type,
}: Omit<Emoji, 'reaction_type'> & { reaction_type: string }): string {
  return reaction_type === 'unicode_emoji' ? charactersOf(emoji_code) : `:${emoji_name}:`;
}
