/** Mails about messages that somebody has missed. `realm` is the organization's name. */
export const missedMails = {
  direct: (names: string) => `Direct messages with ${names}`,
  directToSelf: 'Messages to yourself',
  inSubject: (subject: string, realm: string) => `${subject} [${realm}]`,
  several: (messages: number, conversations: number) => `${messages} new messages in ${conversations} conversations`,
  from: (names: string) => `From ${names}`,
  hiddenContent: (realm: string) => `This mail does not quote messages, because you or ${realm} have chosen so.`,
  earlier: (count: number) => (count === 1 ? '1 earlier message' : `${count} earlier messages`),
  otherConversations: (count: number) => (count === 1 ? '1 more conversation' : `${count} more conversations`),
  hiddenPart: '[hidden]',
  picture: '[picture]',
  open: (realm: string) => `Open ${realm}`,
  mayReply: 'A reply to this mail appears in the conversation.',
  mayNotReply: 'Replies to this mail are not read.',
  reason: (reasons: readonly string[], realm: string) =>
    `You get this mail from ${realm} because ${reasons.join(', and ')}.`,
  reasons: {
    'direct-message': 'you have new direct messages',
    mention: 'you were mentioned',
    'alert-word': 'one of your alert words was used',
    'followed-topic-wildcard': 'everybody was mentioned in a topic that you follow',
    wildcard: 'everybody was mentioned',
    'followed-topic': 'there are new messages in a topic that you follow',
    channel: 'you want mails about a channel',
  } as Readonly<Record<string, string>>,
};
