import { BadRequestError } from '@parley/shared/errors';
import type { NavigationView } from '@parley/shared/proto';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';

/** Views that clients bring along, by the web address that leads to them. */
const BUILT_IN = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

// SPEC-GAP: no bounds are given.
const MAX_FRAGMENT_LENGTH = 1_000;
const MAX_NAME_LENGTH = 100;
export const MAX_NAVIGATION_VIEWS = 200;

/** The view that a request describes. */
export function viewFromInput({ fragment: text, isPinned, name }: NavigationView): NavigationView {
  const fragment = text.trim();
  if (fragment === '') throw new BadRequestError('fragment cannot be blank');
  checkText('fragment', fragment, MAX_FRAGMENT_LENGTH);
  return { fragment, isPinned, ...nameFromInput(fragment, name) };
}

/** The name that a sent text means, of the view of that fragment; none for views that clients bring along. */
export function nameFromInput(fragment: string, text: string | undefined): { name?: string } {
  const name = text?.trim();
  if (BUILT_IN.has(fragment)) {
    if (name !== undefined) throw new BadRequestError('Built-in views cannot have a custom name.');
    return {};
  }
  if (!name) throw new BadRequestError('Custom views must have a valid name.');
  checkText('name', name, MAX_NAME_LENGTH);
  return { name };
}

function checkText(what: string, text: string, limit: number): void {
  if (codePointLength(text) > limit) throw new BadRequestError(`${what} is too long (limit: ${limit} characters)`);
  const position = findForbiddenCharacter(text);
  if (position !== null) throw new BadRequestError(`Invalid character in ${what}, at position ${position}.`);
}
