import { openPrisma } from '@parley/shared/prisma';
import type {
  GetInviteFactsRequest,
  InvitationTerms,
  InviteAddress,
  InviteFacts,
  SendInvitationsRequest,
  User,
} from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, type FakeClock, openTestDatabase, testServers } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { type Config, loadConfig } from '../src/config';
import type { Context } from '../src/context';
import { PrismaClient } from '../src/generated/prisma/client';
import { MIGRATIONS } from '../src/service';
import { accountsOfRealm } from './accounts-of-realm';

export const DAY_MS = 24 * 60 * 60_000;
export const OLIVIA_ID = 1;
export const HAMLET_ID = 4;
const NOBODY: InviteAddress = { objection: '', holder: '' };

/** Realm's facts about an inviter; `addresses` by address, the others are unremarkable. */
export interface RealmFacts extends Partial<Omit<InviteFacts, 'actor' | 'addresses'>> {
  actor?: Partial<User>;
  addresses?: Readonly<Record<string, InviteAddress>>;
}

export interface TestContext extends Context {
  clock: FakeClock;
  /** Facts that the fake realm returns; tests may replace them. */
  realmFacts: RealmFacts;
  close(): Promise<void>;
}

/** An action's context, with a database of its own and a fake realm. */
export async function openContext(settings: Record<string, string> = {}): Promise<TestContext> {
  const { db, close } = await openTestDatabase({ service: 'invites', directory: MIGRATIONS }, 20);
  const prisma = openPrisma(db, (adapter) => new PrismaClient({ adapter }));
  const ctx: TestContext = {
    db,
    prisma,
    bus: undefined as never,
    clock: createFakeClock(),
    log: silentLogger,
    config: testConfig(settings),
    realmFacts: {},
    services: {
      realm: {
        getInviteFacts: async (call, request) => factsOf(call as Caller, request, ctx),
        listAdministrators: async () => ({ userIds: [OLIVIA_ID] }),
        ...accountsOfRealm(() => ctx.realmFacts),
      },
    },
    async close() {
      await prisma.$disconnect();
      await close();
    },
  };
  return ctx;
}

export function testConfig(settings: Record<string, string> = {}): Config {
  const { databaseUrl: DATABASE_URL, natsUrl: NATS_URL } = testServers();
  return loadConfig({
    DATABASE_URL,
    NATS_URL,
    REALM_ADDRESS: '127.0.0.1:1',
    EXTERNAL_HOST: 'chat.example',
    INVITATION_KEY_SECRET: 'a secret that all replicas have in common',
    ...settings,
  });
}

function factsOf(
  { realmId, userId }: Caller,
  { emails }: GetInviteFactsRequest,
  { realmFacts, clock }: TestContext,
): InviteFacts {
  const { actor, addresses = {}, ...rest } = realmFacts;
  const role = userId === OLIVIA_ID ? ROLES.owner : ROLES.member;
  const joinedAtMs = clock.now() - 100 * DAY_MS;
  const user = { id: userId, realmId, fullName: 'Hamlet', email: 'hamlet@acme.example', role, joinedAtMs, ...actor };
  return {
    actor: user as User,
    mayInvite: true,
    mayCreateLinks: true,
    organizationName: 'Acme',
    subdomain: 'acme',
    isInviteRequired: true,
    channels: [],
    groups: [],
    addresses: emails.map((email) => addresses[email] ?? NOBODY),
    administratorIds: [OLIVIA_ID],
    language: 'en',
    ...rest,
  };
}

let lastRealmId = 0;

/** An owner and a member of a new organization. */
export function newCast(): { realmId: number; olivia: Caller; hamlet: Caller } {
  lastRealmId += 1;
  const caller = (userId: number) => ({ ...newCall(), realmId: lastRealmId, userId });
  return { realmId: lastRealmId, olivia: caller(OLIVIA_ID), hamlet: caller(HAMLET_ID) };
}

export function terms(wanted: Partial<InvitationTerms> = {}): InvitationTerms {
  return {
    invitedAs: ROLES.member,
    channelIds: [],
    groupIds: [],
    includesDefaultChannels: false,
    isValidForEver: false,
    ...wanted,
  };
}

export function sending(emails: string, wanted: Partial<InvitationTerms> = {}): SendInvitationsRequest {
  return { emails, terms: terms(wanted), notifiesReferrer: true };
}

/** Audiences of the changes announced since the organization began. */
export async function announced(ctx: Context, realmId: number): Promise<number[][]> {
  const rows = await ctx.db.query<{ kind: string; payload: string }>(
    'select kind, payload from outbox where realm_id = $1 order by id',
    [realmId],
  );
  // Audit-only events have no audience.
  const changes = rows.filter(({ kind }) => kind !== 'act.performed');
  expect(changes.every(({ kind }) => kind === 'invitations.changed')).toBe(true);
  return changes.map(({ payload }) => JSON.parse(payload).receiverIds);
}

export interface Mail {
  template: string;
  recipient: string;
  dueAtMs: number;
}

/** The queued mails, in the order of their due times. */
export function mails(ctx: Context, realmId: number): Promise<Mail[]> {
  return ctx.db.query(
    'select template, recipient, due_at as "dueAtMs" from mail_job where realm_id = $1 order by due_at, id',
    [realmId],
  );
}
