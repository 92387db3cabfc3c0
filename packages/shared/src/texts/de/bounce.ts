import type { bounce as english } from '../en/bounce';

export const bounce: typeof english = (address, reason, url) =>
  `Mails an die Adresse ${address} kommen nicht an, deshalb werden keine mehr gesendet. Der Mailserver meldet: ${reason}\n\nDie [Adresse lässt sich ändern](/#settings/profile). Stimmt sie doch, [können Mails wieder kommen](${url}).`;
