import { BadRequestError } from '@parley/shared/errors';
import type { GetPersonalFlagsRequest, GetPersonalFlagsResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { loadFlagsOfUsers, type StoredFlags } from './flags-of-users.sql';

const MAX_QUESTIONS = 1_000;

/** What users have set on messages. Asked when an event of a message is delivered, about those who get it. */
export async function getPersonalFlags(
  ctx: Context,
  { questions }: GetPersonalFlagsRequest,
): Promise<GetPersonalFlagsResponse> {
  if (questions.length > MAX_QUESTIONS) {
    throw new BadRequestError(`Too many questions in one call (limit: ${MAX_QUESTIONS})`);
  }
  const stored = await loadFlagsOfUsers(ctx.db, questions);
  return {
    flags: stored.map((flags) => ({
      isRead: hasRead(flags),
      isStarred: flags.isStarred,
      isCollapsed: flags.isCollapsed,
      ...(flags.isMarkedUnread && !flags.isGone && { isMarkedUnread: true }),
      ...(flags.isCalled && { isCalled: true }),
    })),
  };
}

/** What isRead() says, but for what follows from mutings and subscriptions: pods know of these. */
function hasRead({ isGone, isMarkedRead, isMarkedUnread, isPassed, hasBegunRead }: StoredFlags): boolean {
  if (isGone || isMarkedRead) return true;
  return !isMarkedUnread && (isPassed || hasBegunRead);
}
