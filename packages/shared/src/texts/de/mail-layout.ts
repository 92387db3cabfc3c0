import type { mailLayout as english } from '../en/mail-layout';

export const mailLayout: typeof english = {
  copyAddress: 'Oder diese Adresse kopieren:',
  stop: 'Keine Mails dieser Art mehr senden',
};
