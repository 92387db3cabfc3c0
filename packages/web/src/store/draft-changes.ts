/** A draft as one tab has it. */
export interface OwnDraft {
  /** The content of the text field. */
  content: string;
  savedContent: string;
  /** Contents that this tab saved lately: events about them are its own, and may be late. */
  ownSaves: readonly string[];
}

/**
 * What a tab does when a draft that it has was changed on the server: nothing; take the content; go on with a draft of its own, so that
 * neither text is lost; or empty the text field, because the draft was sent or deleted elsewhere.
 */
export type Answer = 'ignore' | 'take' | 'part' | 'empty';

export function answerTo(change: { content: string } | 'removed', own: OwnDraft): Answer {
  const hasOwnText = own.content !== own.savedContent && own.content.trim() !== '';
  if (change === 'removed') return hasOwnText ? 'part' : 'empty';
  if (own.ownSaves.includes(change.content) || change.content === own.content) return 'ignore';
  return hasOwnText ? 'part' : 'take';
}
