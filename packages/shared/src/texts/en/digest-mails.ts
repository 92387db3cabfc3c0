/** Mails about what happened while somebody was away. `name` is the organization's. */
export const digestMails = {
  subject: (name: string) => `What you missed on ${name}`,
  unread: (messages: number, conversations: number, since: string) =>
    `Since ${since} there ${messages === 1 ? 'is 1 message that you have not read' : `are ${messages} messages that you have not read`}, in ${conversations === 1 ? '1 conversation' : `${conversations} conversations`}.`,
  counted: (heading: string, messages: number) =>
    `${heading} (${messages === 1 ? '1 message' : `${messages} messages`})`,
  newChannels: 'New channels',
  footer: (name: string) => `You get this mail once a week from ${name} while you are away, if something has happened.`,
};
