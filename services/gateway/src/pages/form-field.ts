import { escapeHtml } from '@parley/shared/values';
import { langOf, type Said } from '../http/page-language';

/** The longest address that mail servers deliver to. */
export const MAX_EMAIL_LENGTH = 254;

/** A line of a form. */
export interface Field {
  name: string;
  label: string;
  type: string;
  autocomplete: string;
  value?: string;
  hint?: string;
  /** Focuses the first field, unless there is an error to be read first. */
  isFirst?: boolean;
  minLength?: number;
  maxLength: number;
}

/** Announced by screen readers; it has the focus. */
export function errorText(error: Said | null): string {
  if (error === null) return '';
  return `<p role="alert" class="error" tabindex="-1" autofocus${langOf(error)}>${escapeHtml(error.text)}</p>\n`;
}

/** A label with its input. */
export function field({
  name,
  label,
  type,
  autocomplete,
  value,
  hint,
  isFirst,
  minLength: least,
  maxLength: most,
}: Field): string {
  const attributes = [
    `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required maxlength="${most}"`,
    ...(least === undefined ? [] : [`minlength="${least}"`]),
    ...(value === undefined ? [] : [`value="${escapeHtml(value)}"`]),
    ...(hint === undefined ? [] : [`aria-describedby="${name}-hint"`]),
    ...(isFirst ? ['autofocus'] : []),
  ].join(' ');
  const hintLine = hint === undefined ? '' : `<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>\n`;
  return `<label for="${name}">${escapeHtml(label)}</label>\n<input ${attributes}>\n${hintLine}`;
}
