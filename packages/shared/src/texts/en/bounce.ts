/** A message of the notification bot, in Markdown. */
export const bounce = (address: string, reason: string, url: string): string =>
  `Mails to your address ${address} do not arrive, so no more are sent. The mail server says: ${reason}\n\nPlease [change the address](/#settings/profile). If it is right, [let mails come again](${url}).`;
