import type { DirectSendFacts, SendMessageRequest } from '@parley/shared/proto';
import type { Facts, Place } from './compose-message';
import { checkContent } from './content';
import { type Destination, participantsOf } from './destination';
import { accessChannel, checkRecipients, checkTopicsPolicy } from './permissions';
import { checkDirectPermission, checkNewTopic } from './send-permissions';

/** Throws when the send is not allowed. The order of these checks is what a client with several faults sees. */
export function decidePlace(
  request: SendMessageRequest,
  to: Destination,
  { realm, sender, ...facts }: Facts,
  hasEarlier: boolean,
): Place {
  if (to.kind === 'direct') {
    const { recipients } = facts;
    checkRecipients(to, recipients);
    checkContent(request.content);
    checkDirectPermission({ sender, recipients, rights: facts.direct as DirectSendFacts, hasEarlier });
    return { kind: 'direct', participants: participantsOf(recipients, sender) };
  }
  checkContent(request.content);
  const channel = accessChannel(to, facts.channel, request.isAnswer);
  checkNewTopic(facts.channel?.mayCreateTopics === true, hasEarlier);
  checkTopicsPolicy(to.topic, channel.topicsPolicy, realm.topicsPolicy);
  return { kind: 'channel', channel, topic: to.topic };
}
