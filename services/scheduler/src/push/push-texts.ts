/** What notifications say besides names and messages. */
interface PushTexts {
  newMessage: string;
  more: (count: number) => string;
  summary: (messages: number) => string;
  test: string;
}

const EN: PushTexts = {
  newMessage: 'New message',
  more: (count) => (count === 1 ? '1 more message' : `${count} more messages`),
  summary: (messages) => `${messages} new messages`,
  test: 'Notifications reach this device.',
};

const DE: PushTexts = {
  newMessage: 'Neue Nachricht',
  more: (count) => (count === 1 ? '1 weitere Nachricht' : `${count} weitere Nachrichten`),
  summary: (messages) => `${messages} neue Nachrichten`,
  test: 'Benachrichtigungen erreichen dieses Gerät.',
};

/** By the language of the reader; English where there is no translation. */
export function pushTexts(language: string): PushTexts {
  return language.startsWith('de') ? DE : EN;
}
