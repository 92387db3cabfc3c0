/** The pages of links that end mails. `name` is the organization's, `address` the recipient's. */
export const mailPages = {
  kinds: {
    missed_messages: 'mails about messages that you missed',
    digest: 'digests of what happened while you were away',
    sign_in: 'mails about sign-ins to your account',
    marketing: 'news about this service',
  },
  endTitle: 'No more such mails?',
  end: (kind: string, name: string, address: string) => `${address} gets ${kind} from ${name}.`,
  endAction: 'Send me no more of them',
  endedTitle: 'No more such mails',
  ended: (kind: string, name: string, address: string) => `${address} no longer gets ${kind} from ${name}.`,
  again: 'Your notification settings have them again at any time.',
  settings: 'Notification settings',
  resumeTitle: 'Is this address right?',
  resume: (name: string, address: string) => `Mails from ${name} to ${address} did not arrive, so no more are sent.`,
  resumeAction: 'It is right: send mails again',
  resumedTitle: 'Mails are sent again',
  resumed: (name: string, address: string) => `${address} gets mails from ${name}.`,
};
