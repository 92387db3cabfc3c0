/** Notifications of devices, beside names and messages. */
export const pushes = {
  newMessage: 'New message',
  more: (count: number) => (count === 1 ? '1 more message' : `${count} more messages`),
  summary: (messages: number) => `${messages} new messages`,
  test: 'Notifications reach this device.',
};
