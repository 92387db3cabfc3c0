import {
  type AddressedMail,
  composeMail,
  type MailJob,
  type MailSection,
  type MailWords,
  mailMoment,
} from '@parley/shared/mail';
import type { Digest, MailRecipient, NewChannel, NewChannels } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS, type MailTexts } from '@parley/shared/texts/mails';
import { channelHref } from '@parley/shared/values';
import { sendingCaller } from '../base/sending';
import type { Context } from '../context';
import { conversationsOf, sectionOf } from '../missed-mails/show-conversations';

const CONVERSATIONS = 5;
const MESSAGES_EACH = 3;

type Needed = Pick<Context, 'services'>;

/** A digest of what the person has not read by now, and may read; null: nothing, or they want none any longer. */
export async function composeDigest(
  { services }: Needed,
  { realmId, content }: MailJob,
): Promise<AddressedMail | null> {
  const [userId, sinceMs] = [Number(content['userId']), Number(content['sinceMs'])];
  const wanted = { realmId, userIds: [userId], kind: 'digest' };
  const { realmName, realmUrl, recipients } = await services.realm.listMailRecipients(newCall(), wanted);
  const [recipient] = recipients;
  if (!recipient) return null;
  const caller = sendingCaller(realmId, userId);
  const [digest, { channels }] = await Promise.all([
    services.messages.getDigest(caller, { sinceMs, conversations: CONVERSATIONS, messagesEach: MESSAGES_EACH }),
    services.realm.listNewChannels(caller, { sinceMs }),
  ]);
  if (digest.messageCount === 0 && channels.length === 0) return null;
  const realm = { name: realmName, url: realmUrl };
  const mail = composeMail(words({ realm, recipient, digest, channels, sinceMs }));
  return { ...mail, recipientName: recipient.fullName, recipientAddress: recipient.address };
}

interface Told extends NewChannels {
  realm: { name: string; url: string };
  recipient: MailRecipient;
  digest: Digest;
  sinceMs: number;
}

function words({ realm, recipient, digest, channels, sinceMs }: Told): MailWords {
  const { digest: texts, missed } = MAIL_TEXTS[textLanguage(recipient.language)];
  const { messageCount, conversationCount, conversations } = digest;
  const moment = (atMs: number) => mailMoment(atMs, recipient);
  const to = {
    userId: recipient.userId,
    url: realm.url,
    texts: missed,
    moment,
    isContentShown: recipient.maySeeContent,
  };
  const busiest = conversations.flatMap(({ messages, messageCount: count }) =>
    conversationsOf(messages, to).map((conversation) => {
      const section = sectionOf(conversation, to);
      return { ...section, heading: texts.counted(section.heading, count) };
    }),
  );
  const hasMissed = messageCount > 0;
  return {
    language: recipient.language,
    subject: texts.subject(realm.name),
    paragraphs: [
      ...(hasMissed ? [texts.unread(messageCount, conversationCount, moment(sinceMs))] : []),
      ...(hasMissed && !recipient.maySeeContent ? [missed.hiddenContent(realm.name)] : []),
    ],
    sections: [...busiest, ...channelSections(channels, texts, realm.url)],
    action: { label: missed.open(realm.name), url: realm.url },
    footer: texts.footer(realm.name),
    unsubscribeUrl: recipient.unsubscribeUrl,
  };
}

/** New channels, each with a link, below a common heading. */
function channelSections(channels: readonly NewChannel[], texts: MailTexts['digest'], url: string): MailSection[] {
  if (channels.length === 0) return [];
  const linked = channels.map((channel) => ({
    heading: `#${channel.name}`,
    url: url + channelHref(channel),
    quotes: [],
  }));
  return [{ heading: texts.newChannels, quotes: [] }, ...linked];
}
