import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, LIMITS } from '@parley/shared/values';

interface Texts {
  title: string;
  content: string;
}

const LIMIT = { title: LIMITS.savedSnippetTitleLength, content: LIMITS.messageLength };

/** The texts of a snippet as they are kept; those that were not sent stay away. */
export function snippetFromInput<Sent extends Partial<Texts>>({
  title,
  content,
}: Sent): Pick<Sent & Texts, keyof Texts & keyof Sent>;
export function snippetFromInput({ title, content }: Partial<Texts>): Partial<Texts> {
  return {
    ...(title !== undefined && { title: checked('title', title) }),
    ...(content !== undefined && { content: checked('content', content) }),
  };
}

function checked(name: keyof Texts, sent: string): string {
  const text = sent.trim();
  if (text === '') throw new BadRequestError(`${name} cannot be blank`);
  if (text.includes('\0')) throw new BadRequestError(`${name} must not contain null bytes`);
  if (codePointLength(text) > LIMIT[name]) {
    throw new BadRequestError(`${name} is too long (limit: ${LIMIT[name]} characters)`);
  }
  return text;
}
