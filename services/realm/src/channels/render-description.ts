const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A description as HTML: its text in a paragraph, nothing of it markup. */
export function renderDescription(description: string): string {
  if (description === '') return '';
  return `<p>${description.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)}</p>`;
}
