/** Messages of the organization's bots, in Markdown. */
export const notices = {
  welcome:
    'Hello, and welcome! I am the bot that greets everybody who is new here.\n\n' +
    'People talk in **channels**, and every conversation in a channel has a **topic**: so you can follow several at once, and skip ' +
    'what is not for you. Browse the channels, subscribe to what interests you, and start a topic whenever you begin something new.',
  welcomeForAdministrators:
    'You **administer** this organization: you may invite people, make channels for them, and change how everything looks and ' +
    'works in the organization’s settings.',
};
