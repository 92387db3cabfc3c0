import type { UserSettingName, UserSettings } from './user-settings';

/** The kinds of mails that people can end, each with the settings that send them: with all of them off, there are none. */
export const MAIL_KINDS = {
  missed_messages: [
    'enable_offline_email_notifications',
    'enable_stream_email_notifications',
    'enable_followed_topic_email_notifications',
  ],
  digest: ['enable_digest_emails'],
  sign_in: ['enable_login_emails'],
  marketing: ['enable_marketing_emails'],
} as const satisfies Record<string, readonly UserSettingName[]>;

export type MailKind = keyof typeof MAIL_KINDS;

/** Whether there are mails of that kind; for untrusted names. */
export function isMailKind(name: string): name is MailKind {
  return Object.hasOwn(MAIL_KINDS, name);
}

/** Whether a person's settings send mails of that kind. Settings of single channels are not among them. */
export function wantsMails(kind: MailKind, settings: UserSettings): boolean {
  return MAIL_KINDS[kind].some((name) => settings[name] === true);
}
