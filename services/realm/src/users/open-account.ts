import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, userCreated } from '@parley/shared/events';
import type { NewAccount, User } from '@parley/shared/proto';
import { listStrangerIds } from '../accounts/accessible-users';
import { insertBotService, insertUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { issueApiKey } from '../api-keys/api-keys';
import { issueBotKey } from '../api-keys/bot-keys';
import { nameKey } from '../base/name-key';
import { randomKey } from '../base/random-key';
import { systemGroupMoves } from '../groups/system-group-moves';
import { emailAudiences } from '../people/change-email';
import { type FirstChannels, joinFirstChannels } from '../subscriptions/begin-subscriptions';
import { beginSettings, type Choices, NO_CHOICES } from '../user-settings/begin-settings';

export interface Account {
  realmId: number;
  email: string;
  fullName: string;
  role: number;
  bot: NewAccountOfBot | null;
  passwordHash: string | null;
  createdAtMs: number;
  /** Absent: the default channels, and no choices. */
  beginning?: Beginning;
}

/** A person's first channels and choices. */
export type Beginning = FirstChannels & Choices;

const USUAL_BEGINNING: Beginning = { channelIds: [], includesDefaultChannels: true, ...NO_CHOICES };

interface NewAccountOfBot {
  type: number;
  ownerId: number;
  service: { payloadUrl: string; interface: number } | null;
  /** The service's secret, see botKey(). */
  keySecret: string;
}

/**
 * Stores an account with its API key, a person's first channels, and the service of outgoing webhook bots. Returns the events to announce
 * in the same transaction.
 */
export async function openAccount(
  tx: Transaction,
  account: Account,
): Promise<{ newAccount: NewAccount; events: DomainEvent[]; user: User }> {
  const { realmId, email, bot, createdAtMs, beginning = USUAL_BEGINNING } = account;
  const userId = await insertUser(tx, { ...account, fullNameKey: nameKey(account.fullName) });
  if (!bot) await beginSettings(tx, realmId, { id: userId, deliveryEmail: email }, beginning);
  if (bot?.service) await insertBotService(tx, { realmId, userId, ...bot.service, token: randomKey() });
  const holder = { realmId, userId, createdAtMs };
  const apiKey = bot ? await issueBotKey(tx, bot.keySecret, holder) : await issueApiKey(tx, holder);
  const { user, isFullMember } = await loadActor(tx, { realmId, userId }, createdAtMs);
  const { role } = user;
  const events = await systemGroupMoves(tx, realmId, userId, null, { role, isFullMember });
  if (!bot) events.push(...(await joinFirstChannels(tx, { realmId, userId, nowMs: createdAtMs }, beginning)));
  return { newAccount: { realmId, userId, email, apiKey }, events: [await creationOf(tx, user), ...events], user };
}

/** The first event of an account introduces the user. */
async function creationOf(tx: Transaction, user: User): Promise<DomainEvent> {
  const strangerIds = await listStrangerIds(tx, user.realmId, user.id);
  return userCreated(user.realmId, { user, ...(await emailAudiences(tx, user, strangerIds)), strangerIds });
}
