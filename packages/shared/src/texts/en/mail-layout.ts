export const mailLayout = {
  copyAddress: 'Or copy this address:',
  stop: 'Send me no more mails of this kind',
};
