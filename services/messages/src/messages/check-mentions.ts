import type { Rendered } from '@parley/shared/markdown';
import { topicKey } from '@parley/shared/values';
import type { Context } from '../context';
import { listParticipants } from '../conversations/participants.sql';
import type { Facts, Place } from './compose-message';
import { checkGroupMentions } from './permissions';
import { checkWildcards, MANY } from './send-permissions';

/** SPEC-GAP: no bound is documented; so many at most are meant by a mention of their topic. */
const MAX_PARTICIPANTS = 10_000;

/**
 * Throws when the sender may not mention all those whom the message mentions; answers whom a mention of the topic means, null when
 * there is none.
 */
export async function checkMentions(
  ctx: Context,
  facts: Facts,
  place: Place,
  rendered: Rendered,
): Promise<number[] | null> {
  const { mentionsChannel, mentionsTopic, mentionedGroupIds } = rendered;
  const { mayMentionMany, mentionedGroups } = facts;
  const participantIds = mentionsTopic && place.kind === 'channel' ? await gatherParticipants(ctx, facts, place) : null;
  if (place.kind === 'channel') {
    const counts = { subscriberCount: place.channel.subscriberCount, participantCount: participantIds?.length ?? 0 };
    checkWildcards({ mentionsChannel, mentionsTopic, mayMentionMany, ...counts });
  }
  checkGroupMentions(mentionedGroupIds, mentionedGroups);
  return participantIds;
}

/** Who has taken part in the topic; for somebody who may not mention many, only whether they are too many. */
function gatherParticipants(
  { db }: Context,
  { realm, sender, mayMentionMany }: Facts,
  { channel, topic }: Extract<Place, { kind: 'channel' }>,
): Promise<number[]> {
  const name = { realmId: realm.id, channelId: channel.id, nameKey: topicKey(topic) };
  return listParticipants(db, name, sender.id, mayMentionMany ? MAX_PARTICIPANTS : MANY + 1);
}
