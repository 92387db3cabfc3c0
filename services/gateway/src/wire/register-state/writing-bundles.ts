import type { Writings } from '@parley/shared/proto';
import { publicDraft, publicSavedSnippet } from '@parley/shared/wire';
import { z } from 'zod';
import { draftSchema } from '../draft';
import { savedSnippetSchema } from '../saved-snippet';

/** Fields of POST /register, by what they are asked for. */
export const writingFields = {
  drafts: z.array(draftSchema).describe('The newest 1000, the one that was edited last first.'),
  saved_snippets: z.array(savedSnippetSchema),
};

type WritingType = keyof typeof writingFields;

/** What to ask the messages service for; null: nothing. */
export function wantedWritings(isWanted: (type: string) => boolean) {
  const [includesDrafts, includesSavedSnippets] = [isWanted('drafts'), isWanted('saved_snippets')];
  return includesDrafts || includesSavedSnippets ? { includesDrafts, includesSavedSnippets } : null;
}

/** The fields that were asked for. */
export function publicWritings({ drafts, savedSnippets }: Writings, isWanted: (type: string) => boolean) {
  const fields = { drafts: drafts.map(publicDraft), saved_snippets: savedSnippets.map(publicSavedSnippet) };
  return Object.fromEntries(Object.entries(fields).filter(([type]) => isWanted(type as WritingType)));
}
