import { isAdministrator } from '@parley/shared/values';
import type { Notice } from './notice-events';

const GREETING =
  'Hello, and welcome! I am the bot that greets everybody who is new here.\n\n' +
  'People talk in **channels**, and every conversation in a channel has a **topic**: so you can follow several at once, and skip ' +
  'what is not for you. Browse the channels, subscribe to what interests you, and start a topic whenever you begin something new.';

const FOR_ADMINISTRATORS =
  '\n\nYou **administer** this organization: you may invite people, make channels for them, and change how everything looks and ' +
  'works in the organization’s settings.';

/** What the welcome bot says to somebody new; `customText` is the organization's own message, empty when it has none. */
export function welcomeNotices(user: { id: number; role: number }, customText: string): Notice[] {
  const greeting = GREETING + (isAdministrator(user.role) ? FOR_ADMINISTRATORS : '');
  const contents = customText === '' ? [greeting] : [greeting, customText];
  return contents.map((content) => ({ from: 'welcome-bot', to: { userIds: [user.id] }, content, readByIds: [] }));
}
