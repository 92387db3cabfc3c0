/** Mails about invitations. `name` and `url` are the organization's; the inviter is a person with an address. */
export const invitationMails = {
  subject: (inviter: string, name: string) => `${inviter} has invited you to join ${name}`,
  reminderSubject: (inviter: string, name: string) => `Reminder: ${inviter} has invited you to join ${name}`,
  said: (inviter: string, email: string, name: string, url: string) =>
    `${inviter} (${email}) would like to talk to you on ${name} (${url}).`,
  reminder: (inviter: string, email: string, name: string, url: string) =>
    `${inviter} (${email}) is still hoping that you join ${name} (${url}).`,
  action: 'Accept the invitation',
  end: (time: string) => `The invitation ends on ${time}. `,
  footer: 'If you do not want to join, you need not do anything.',
  confirmation: {
    subject: (name: string) => `Join ${name}`,
    said: (name: string, url: string) =>
      `You are about to join ${name} (${url}). What is left is to make your account.`,
    action: 'Make your account',
    footer: 'The link holds for a day. If it was not you who asked for it, you need not do anything.',
  },
};
