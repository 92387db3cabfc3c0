export const compose = {
  send: 'Send',
  topic: 'Topic',
  messageTo: (place: string) => `Message ${place}`,
  notSent: 'Not sent',
  drafts: 'Drafts',
  scheduled: 'Scheduled messages',
  reminders: 'Reminders',
  waiting: 'Not sent yet. It is tried again by itself.',
  sending: 'Sending',
};
