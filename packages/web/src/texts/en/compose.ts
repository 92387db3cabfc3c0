export const compose = {
  send: 'Send',
  topic: 'Topic',
  messageTo: (place: string) => `Message ${place}`,
  notSent: 'Not sent',
  drafts: 'Drafts',
  scheduled: 'Scheduled messages',
  reminders: 'Reminders',
};
