import { escapeHtml } from '@parley/shared/values';

/** A description as HTML: its text in a paragraph, nothing of it markup. */
export function renderDescription(description: string): string {
  return description === '' ? '' : `<p>${escapeHtml(description)}</p>`;
}
