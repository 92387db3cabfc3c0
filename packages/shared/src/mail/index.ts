// Mail of services: a table of jobs in each service's database, one delivery, one layout.

export { type ComposedMail, composeMail, type MailQuote, type MailSection, type MailWords } from './compose-mail';
export {
  type Mail,
  type Mailer,
  type MailHeaders,
  MailRefusedError,
  type MailSender,
  mailSettings,
  senderOf,
} from './mail';
export { type AddressedMail, createMailDelivery, type MailDelivery } from './mail-delivery';
export {
  listUndeliveredMails,
  MAILS,
  type MailContent,
  type MailJob,
  type NewMail,
  putMail,
} from './mail-job.sql';
export { createMailer } from './mailers';
export { mailMoment, outsideReader, type TimeReader } from './moment';
