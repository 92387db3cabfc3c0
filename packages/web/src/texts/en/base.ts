export const base = {
  cancel: 'Cancel',
  retry: 'Try again',
  generalChat: 'general chat',
  loading: 'Loading …',
  offline: 'There is no connection. It is tried again …',
  signOut: 'Sign out',
  menu: 'Menu',
  close: 'Close',
  ok: 'OK',
  done: 'Done',
  failed: 'That did not work',
  noAnswer: 'The server does not answer. Try again in a moment.',
};
