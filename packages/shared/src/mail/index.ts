// Mail of services: a table of jobs in each service's database, one delivery, one layout.

export { type ComposedMail, composeMail, type MailWords } from './compose-mail';
export { type Mail, type Mailer, MailRefusedError, type MailSender, mailSettings, senderOf } from './mail';
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
