import { createHmac, randomBytes } from 'node:crypto';
import type { Transaction } from '@parley/shared/db';
import { bounceAddress, hashMailInToken, mailInToken, replyAddress } from '@parley/shared/mail-in';
import type { FindReplyAddressRequest, FoundReplyAddress } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';
import type { Context } from '../context';
import {
  deleteAddressesBeyond,
  findAddressByToken,
  findLatestAddress,
  insertReplyAddress,
  setAnsweredMessage,
} from './reply-address.sql';

/** A conversation, as its reader was sent a mail about it. */
export type AnsweredConversation =
  | { channelId: number; topic: string }
  /** By id, with the reader; only the reader: messages to themselves. */
  | { participantIds: readonly number[] };

/** Whose replies an address takes, and to what. */
export interface Answering {
  realmId: number;
  /** The mail's reader, in whose name replies are posted. */
  userId: number;
  conversation: AnsweredConversation;
  /** The newest message in the mail: replies follow it when it is moved. */
  messageId: number;
}

/** The addresses of one mail. */
export interface MailAddresses {
  /** For the header Reply-To. */
  replyTo: string;
  /** The envelope sender: servers report there that the mail was not delivered. */
  bounceTo: string;
}

/** How long an address is valid. */
const LIFETIME_MS = 30 * 24 * 3_600_000;
/** An address that ends sooner is not handed out again, so every reader has this time for a reply. */
const LEAST_LEFT_MS = LIFETIME_MS / 2;
/** Of one person; the oldest ones end earlier. */
const MAX_OF_PERSON = 500;
const SALT_BYTES = 16;

/**
 * Addresses for a mail about a conversation, in the transaction that stores the mail; the same as for the last mail about it, as long as
 * they are valid for two weeks more. Null: no mail comes in here.
 */
export async function putReplyAddress(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  tx: Transaction,
  answering: Answering,
): Promise<MailAddresses | null> {
  const { MAIL_IN_DOMAIN: domain, MAIL_IN_KEY: secret } = config;
  if (domain === undefined) return null;
  const token =
    (await renewToken(tx, secret, answering, clock.now())) ?? (await newToken(tx, secret, answering, clock.now()));
  return { replyTo: replyAddress(token, domain), bounceTo: bounceAddress(token, domain) };
}

/** The token of the latest address; null if there is none, or if it was made with another secret. */
async function renewToken(
  tx: Transaction,
  secret: string,
  answering: Answering,
  nowMs: number,
): Promise<string | null> {
  const { realmId, userId, messageId } = answering;
  const conversation = conversationKey(answering.conversation);
  const latest = await findLatestAddress(tx, { realmId, userId, conversation }, nowMs + LEAST_LEFT_MS);
  if (latest === null) return null;
  const token = tokenOf(secret, answering, latest.salt);
  if (!hashMailInToken(token).equals(latest.tokenHash)) return null;
  await setAnsweredMessage(tx, realmId, latest.id, messageId);
  return token;
}

async function newToken(tx: Transaction, secret: string, answering: Answering, nowMs: number): Promise<string> {
  const { realmId, userId, messageId, conversation } = answering;
  const salt = randomBytes(SALT_BYTES);
  const token = tokenOf(secret, answering, salt);
  const isDirect = 'participantIds' in conversation;
  await insertReplyAddress(tx, {
    realmId,
    userId,
    conversation: conversationKey(conversation),
    channelId: isDirect ? null : conversation.channelId,
    topic: isDirect ? '' : conversation.topic,
    participantIds: isDirect ? conversation.participantIds : [],
    messageId,
    salt,
    tokenHash: hashMailInToken(token),
    createdAtMs: nowMs,
    endsAtMs: nowMs + LIFETIME_MS,
  });
  await deleteAddressesBeyond(tx, realmId, userId, MAX_OF_PERSON);
  return token;
}

function conversationKey(conversation: AnsweredConversation): string {
  if ('channelId' in conversation) return `channel ${conversation.channelId} ${topicKey(conversation.topic)}`;
  return `direct ${conversation.participantIds.toSorted((a, b) => a - b).join(' ')}`;
}

/** Only its hash is stored: salt and secret are useless without each other. */
function tokenOf(secret: string, { realmId, userId }: Answering, salt: Buffer): string {
  const digest = createHmac('sha256', secret).update(`reply address ${realmId} ${userId} `).update(salt).digest();
  return mailInToken(digest);
}

/** Whose address has that token, and what it answers; nothing if it is unknown or has ended. */
export async function findReplyAddress(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { token }: FindReplyAddressRequest,
): Promise<FoundReplyAddress> {
  const found = await findAddressByToken(db, hashMailInToken(token), clock.now());
  if (found === null) return { address: null };
  const { channelId, ...address } = found;
  return { address: { ...address, ...(channelId !== null && { channelId }) } };
}
