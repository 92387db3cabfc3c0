export const messages = {
  edited: 'edited',
  moved: 'moved',
  unreadFrom: 'New messages',
  nothingHere: 'There are no messages here yet.',
  star: 'Star',
  unstar: 'Remove the star',
  react: 'React with 👍',
  toNewest: 'To the newest message',
};
