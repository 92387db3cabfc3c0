import type { SavedSnippet } from '../proto';

/** A saved snippet in the public dialect; called for GET /saved_snippets, POST /register and events. */
export function publicSavedSnippet({ id, title, content, createdAtMs }: SavedSnippet) {
  return { id, title, content, date_created: Math.floor(createdAtMs / 1_000) };
}
