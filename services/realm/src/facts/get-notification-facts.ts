import { BadRequestError } from '@parley/shared/errors';
import type {
  GetNotificationFactsRequest,
  GetNotificationFactsResponse,
  MessageToNotify,
  PeopleToNotify,
} from '@parley/shared/proto';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { loadChangedAlertWords, loadPeopleToNotify } from './notification-facts.sql';

const MAX_MESSAGES = 1_000;

/** The people who may have to be notified of each message, with the facts that decide it, and alert words unknown to the caller. */
export async function getNotificationFacts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { messages, alertWords: known }: GetNotificationFactsRequest,
): Promise<GetNotificationFactsResponse> {
  if (messages.length > MAX_MESSAGES) {
    throw new BadRequestError(`Too many messages in one call (limit: ${MAX_MESSAGES})`);
  }
  const [people, alertWords] = await Promise.all([
    messages.length > 0 ? loadPeopleToNotify(db, messages.map(askedOf), clock.now()) : [],
    known.length > 0 ? loadChangedAlertWords(db, known) : [],
  ]);
  const byMessage = new Map(people.map(({ n, ...columns }) => [n, columns]));
  return { people: messages.map((_, index) => byMessage.get(index + 1) ?? NOBODY), alertWords };
}

const NOBODY: PeopleToNotify = { userIds: [], facts: [], batchingSecs: [] };

function askedOf({ realmId, senderId, channelId, version, mentionsAll, namedIds }: MessageToNotify) {
  return { realmId, senderId, channelId: channelId ?? null, version, mentionsAll, namedIds: possibleIds(namedIds) };
}
