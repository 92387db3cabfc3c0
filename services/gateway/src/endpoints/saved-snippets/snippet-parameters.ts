import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { boundedText } from '../../http/parameters';

/** Blank space around it does not count. */
function trimmedText(limit: number) {
  return z.string().trim().min(1).pipe(boundedText(limit));
}

export const titleText = trimmedText(LIMITS.savedSnippetTitleLength);
export const contentText = trimmedText(LIMITS.messageLength);
