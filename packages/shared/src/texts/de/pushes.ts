import type { pushes as english } from '../en/pushes';

export const pushes: typeof english = {
  newMessage: 'Neue Nachricht',
  more: (count) => (count === 1 ? '1 weitere Nachricht' : `${count} weitere Nachrichten`),
  summary: (messages) => `${messages} neue Nachrichten`,
  test: 'Benachrichtigungen erreichen dieses Gerät.',
};
