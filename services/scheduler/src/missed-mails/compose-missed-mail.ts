import { PublicError } from '@parley/shared/errors';
import { type AddressedMail, composeMail, type MailHeaders, type MailJob, mailMoment } from '@parley/shared/mail';
import type { MailRecipient, MailRecipients, Message, NarrowTerm } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS } from '@parley/shared/texts/mails';
import { sendingCaller } from '../base/sending';
import { isStillReason } from '../base/who-is-notified';
import type { Context } from '../context';
import { putReplyAddress } from '../reply-addresses/reply-addresses';
import { MAIL_KIND } from './due-mails';
import type { MissedMail } from './plan-mails';
import { type Conversation, conversationsOf, type ShownTo, sectionOf } from './show-conversations';

type Needed = Pick<Context, 'db' | 'clock' | 'services' | 'config'>;

/** Composes a mail from what its messages are now; null: the person has read them, or gets no mails. */
export async function composeMissedMail(ctx: Needed, job: MailJob): Promise<AddressedMail | null> {
  const missed = job.content as unknown as MissedMail;
  const { userId, messageIds } = missed;
  const { realmId } = job;
  const call = newCall();
  const organization = await ctx.services.realm.listMailRecipients(call, {
    realmId,
    userIds: [userId],
    kind: MAIL_KIND,
  });
  const [recipient] = organization.recipients;
  // The address may have changed since.
  if (recipient?.address.toLowerCase() !== job.recipient.toLowerCase()) return null;
  const unread = (await loadUnread(ctx, { realmId, userId, messageIds })).filter((message) =>
    isStillReason(reasonFor(missed, message) ?? '', message.flags),
  );
  if (unread.length === 0) return null;
  const triggers = reasonsFor(missed, unread);
  const to = shownTo(recipient, organization);
  const conversations = conversationsOf(unread, to);
  const headers = await headersOf(ctx, job, conversations);
  return {
    ...composeMail(wordsOf(conversations, { to, recipient, organization, triggers, headers })),
    recipientName: recipient.fullName,
  };
}

const reasonFor = ({ triggersById }: MissedMail, { id }: Message) => triggersById?.[id];

function reasonsFor(missed: MissedMail, messages: readonly Message[]): string[] {
  const known = messages.flatMap((message) => reasonFor(missed, message) ?? []);
  return known.length === 0 ? missed.triggers : [...new Set(known)].sort();
}

interface Reading {
  realmId: number;
  userId: number;
  messageIds: number[];
}

/** The messages as their reader sees them, without those that they have read, have muted or may not read. */
async function loadUnread(ctx: Needed, { messageIds, ...reader }: Reading): Promise<Message[]> {
  try {
    const messages = await load(ctx, { ...reader, messageIds });
    const unread = messages.filter(({ flags }) => !flags.includes('read'));
    // A mention by name passes through mutes.
    const mutable = unread.filter(({ channelId, flags }) => channelId !== undefined && !flags.includes('mentioned'));
    if (mutable.length === 0) return unread;
    const muted = await load(ctx, { ...reader, messageIds: mutable.map(({ id }) => id) }, IS_MUTED);
    const mutedIds = new Set(muted.map(({ id }) => id));
    return unread.filter(({ id }) => !mutedIds.has(id));
  } catch (error) {
    // The reader is deactivated, or the organization closed.
    if (error instanceof PublicError && error.httpStatus < 500) return [];
    throw error;
  }
}

const IS_MUTED: NarrowTerm[] = [{ operator: 'is', isNegated: false, text: 'muted', ids: [], isList: false }];

async function load(
  { services }: Needed,
  { realmId, userId, messageIds }: Reading,
  narrow: NarrowTerm[] = [],
): Promise<Message[]> {
  const wanted = { messageIds, numBefore: 0, numAfter: 0, includeAnchor: false, narrow };
  return (await services.messages.getMessages(sendingCaller(realmId, userId), wanted)).messages;
}

function shownTo(recipient: MailRecipient, { realmUrl: url }: MailRecipients): ShownTo {
  const { userId, language, timezone, hasTwentyFourHourTime, maySeeContent: isContentShown } = recipient;
  const texts = MAIL_TEXTS[textLanguage(language)].missed;
  const moment = (atMs: number) => mailMoment(atMs, { language, timezone, hasTwentyFourHourTime });
  return { userId, url, texts, moment, isContentShown };
}

/** More conversations in one mail are counted only. */
const MAX_SECTIONS = 20;

interface Composed {
  to: ShownTo;
  recipient: MailRecipient;
  organization: MailRecipients;
  triggers: readonly string[];
  headers: MailHeaders;
}

function wordsOf(conversations: readonly Conversation[], { to, recipient, organization, triggers, headers }: Composed) {
  const { texts } = to;
  const { realmName } = organization;
  const sections = conversations.slice(0, MAX_SECTIONS).map((conversation) => sectionOf(conversation, to));
  const left = conversations.length - sections.length;
  const reasons = triggers.map((trigger) => texts.reasons[trigger] ?? trigger);
  const replies = headers.replyTo ? texts.mayReply : texts.mayNotReply;
  return {
    language: recipient.language,
    subject: subjectOf(conversations, { texts, realmName: recipient.namesRealm ? realmName : null }),
    paragraphs: to.isContentShown ? [] : [texts.hiddenContent(realmName)],
    sections: left === 0 ? sections : [...sections, { heading: texts.otherConversations(left), quotes: [] }],
    action: { label: texts.open(realmName), url: sections[0]?.url ?? to.url },
    footer: `${texts.reason(reasons, realmName)} ${replies}`,
    unsubscribeUrl: recipient.unsubscribeUrl,
    headers,
  };
}

function subjectOf(
  conversations: readonly Conversation[],
  { texts, realmName }: Pick<ShownTo, 'texts'> & { realmName: string | null },
): string {
  const messages = conversations.reduce((count, conversation) => count + conversation.messages.length, 0);
  const [first] = conversations;
  const subject =
    conversations.length === 1 ? (first as Conversation).name : texts.several(messages, conversations.length);
  return realmName === null ? subject : texts.inSubject(subject, realmName);
}

/** How a mail about a single conversation can be answered, and what it continues; there is no answer to several. */
async function headersOf(ctx: Needed, job: MailJob, conversations: readonly Conversation[]): Promise<MailHeaders> {
  const [conversation, ...others] = conversations;
  if (!conversation || others.length > 0) return {};
  const { realmId, content } = job;
  const userId = Number(content['userId']);
  const [{ id: messageId, channelId, topic, participants }] = conversation.messages.slice(-1) as [Message];
  const answered =
    channelId === undefined ? { participantIds: participants.map(({ id }) => id) } : { channelId, topic };
  const addresses = await ctx.db.transaction((tx) =>
    putReplyAddress(ctx, tx, { realmId, userId, conversation: answered, messageId }),
  );
  if (addresses === null) return threadOf(ctx, job, conversation.key);
  const { replyTo: address, bounceTo } = addresses;
  return { ...threadOf(ctx, job, conversation.key), replyTo: { name: '', address }, bounceTo };
}

/** All mails to a person about a conversation continue the same mail, which need not exist: so mail programs show them as one thread. */
function threadOf(
  { config }: Pick<Needed, 'config'>,
  { realmId, content }: MailJob,
  conversation: string,
): MailHeaders {
  const host = config.EXTERNAL_HOST.replace(/:\d+$/, '');
  const beginning = `conversation-${realmId}-${content['userId']}-${conversation}@${host}`;
  return { inReplyTo: beginning, references: [beginning] };
}
