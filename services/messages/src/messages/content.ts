import { BadRequestError } from '@parley/shared/errors';
import { LIMITS, truncate } from '@parley/shared/values';

const TRUNCATION_MARK = '\n[message truncated]';

/** The content that is stored: without blank space at its end and empty lines at its beginning, cut to the limit. */
export function normalizeContent(text: string): string {
  return truncate(stripped(text), LIMITS.messageLength, TRUNCATION_MARK);
}

/** Throws when nothing can be made of `text`. */
export function checkContent(text: string): void {
  if (stripped(text) === '') throw new BadRequestError('Message must not be empty');
  if (text.includes('\0')) throw new BadRequestError('Message must not contain null bytes');
}

function stripped(text: string): string {
  return text.trimEnd().replace(/^\n+/, '');
}
