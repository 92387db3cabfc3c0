import { PublicError } from '@parley/shared/errors';
import type { SendMessageRequest, SendMessageResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findReferences, type References } from '../markdown';
import { findFirstAnswer } from '../send-keys/send-key.sql';
import { sendKeyOf } from '../send-keys/send-key-of';
import { composeMessage, type Draft, type Facts, type Place, renderContent } from './compose-message';
import { checkContent, normalizeContent } from './content';
import { type Destination, destinationOf } from './destination';
import { findTopicMessages } from './find-topic-messages';
import { accessChannel, checkGroupMentions, checkRecipients, checkTopicsPolicy } from './permissions';

/** Sends a message once: a repeated key gets the first answer again. */
export async function sendMessage(
  ctx: Context,
  caller: Caller,
  request: SendMessageRequest,
): Promise<SendMessageResponse> {
  const key = sendKeyOf(request);
  try {
    const to = destinationOf(request);
    const content = normalizeContent(request.content);
    const references = findReferences(content);
    const facts = await gatherFacts(ctx, caller, to, references);
    const place = decidePlace(request, to, facts);
    const topicMessageIds = await findTopicMessages(ctx, caller, references.topics, facts.linkedChannels);
    const rendered = renderContent(content, facts, ctx.config.EXTERNAL_HOST, topicMessageIds);
    checkGroupMentions(rendered.mentionedGroupIds, facts.mentionedGroups);
    const sent = composeMessage(draftOf(request, facts, place, content), rendered, ctx.clock.now());
    return { messageId: await ctx.storeMessage({ key, sent }) };
  } catch (error) {
    if (key === null || !(error instanceof PublicError)) throw error;
    // What is refused now may be the retry of what was allowed before: in a channel archived meanwhile, for instance.
    const messageId = await findFirstAnswer(ctx, caller.realmId, caller.userId, key);
    if (messageId === null) throw error;
    return { messageId };
  }
}

async function gatherFacts(ctx: Context, caller: Caller, to: Destination, references: References): Promise<Facts> {
  const facts = await ctx.getSendFacts({
    realmId: caller.realmId,
    senderId: caller.userId,
    ...addresseeOf(to),
    mentionedNames: references.userNames,
    mentionedGroupNames: references.groupNames,
    linkedChannelNames: references.channelNames,
  });
  if (!facts.realm || !facts.sender) throw new Error(`realm does not know the sender ${caller.userId}`);
  return facts as Facts;
}

function addresseeOf(to: Destination) {
  if (to.kind === 'direct') return { recipientIds: to.recipientIds, recipientEmails: to.recipientEmails };
  const channel = to.channelId === undefined ? { channelName: to.channelName as string } : { channelId: to.channelId };
  return { ...channel, recipientIds: [], recipientEmails: [] };
}

/** Throws when the send is not allowed. The order of these checks is what a client with several faults sees. */
function decidePlace(request: SendMessageRequest, to: Destination, { realm, sender, ...facts }: Facts): Place {
  if (to.kind === 'direct') {
    checkRecipients(to, facts.recipients);
    checkContent(request.content);
    return { kind: 'direct', participants: participantsOf(facts.recipients, sender) };
  }
  checkContent(request.content);
  const channel = accessChannel(to, facts.channel);
  checkTopicsPolicy(to.topic, channel.topicsPolicy, realm.topicsPolicy);
  return { kind: 'channel', channel, topic: to.topic };
}

function draftOf(request: SendMessageRequest, facts: Facts, place: Place, content: string): Draft {
  const { clientName, isReadBySender, queueId, localId } = request;
  const readByIds = isReadBySender ? [facts.sender.id] : [];
  return { facts, place, content, clientName, readByIds, queueId, localId };
}

function participantsOf(recipients: readonly User[], sender: User): User[] {
  const byId = new Map([...recipients, sender].map((user) => [user.id, user]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
