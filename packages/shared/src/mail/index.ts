// Mail that services send: a table of jobs in each service's own database, one delivery, one layout.

export { type ComposedMail, composeMail, type MailWords } from './compose-mail';
export { createMailer } from './create-mailer';
export { type Mail, type Mailer, MailRefusedError } from './mail';
export {
  listUndeliveredMails,
  MAILS,
  type MailContent,
  type MailJob,
  type NewMail,
  putMail,
} from './mail-job.sql';
export { type MailSender, mailSettings, senderOf } from './mail-settings';
export { type AddressedMail, type MailDelivery, startMailDelivery } from './start-mail-delivery';
