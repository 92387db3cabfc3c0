import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { CreateRealmRequest, NewAccount } from '@parley/shared/proto';
import { ORG_TYPES, ROLES } from '@parley/shared/values';
import { insertChannels } from '../channels/channels.sql';
import type { Context } from '../context';
import { insertSystemGroups } from '../groups/groups.sql';
import { nameKey } from '../name-key';
import { renderTexts } from '../rendering/render-texts';
import { systemBotAccounts } from '../system-bots/system-bot';
import { insertSystemBots } from '../system-bots/system-bots.sql';
import { isUniqueViolation } from '../unique-violation';
import { emailFromInput } from '../users/email-address';
import { fullNameFromInput } from '../users/full-name';
import { openAccount } from '../users/open-account';
import { checkPassword, hashPassword } from '../users/password';
import { beginRealmSettings } from './begin-realm-settings';
import { realmNameFromInput } from './realm-name';
import { realmSettingsFromInput } from './realm-settings-from-input';
import { insertRealm, SUBDOMAIN_IS_UNIQUE } from './realms.sql';
import { subdomainFromInput } from './subdomain';

const ANNOUNCEMENT_CHANNEL = 'general';
const FIRST_CHANNELS = [
  { name: ANNOUNCEMENT_CHANNEL, description: 'For team-wide conversations' },
  { name: 'sandbox', description: 'A place to try things out' },
  { name: 'tips', description: 'For questions and tips about using this chat' },
];

/** Makes an organization with its groups, first channels and owner. For the operator's command. */
export async function createRealm(ctx: Context, request: CreateRealmRequest): Promise<NewAccount> {
  const realm = { name: realmNameFromInput(request.name), subdomain: subdomainFromInput(request.subdomain) };
  const orgType = orgTypeFromInput(request);
  const owner = await ownerFromInput(request);
  const createdAtMs = ctx.clock.now();
  try {
    return await ctx.db.transaction(async (tx) => {
      const realmId = await insertRealm(tx, { ...realm, createdAtMs });
      await insertSystemGroups(tx, realmId, createdAtMs);
      await insertSystemBots(tx, systemBotAccounts(ctx.config), realmId, createdAtMs);
      const announcementChannelId = await makeFirstChannels(ctx, tx, realmId, createdAtMs);
      await beginRealmSettings(tx, realmId, { orgType, announcementChannelId });
      const { newAccount, events } = await openAccount(tx, { ...owner, realmId, createdAtMs });
      await announce(tx, ...events);
      return newAccount;
    });
  } catch (error) {
    throw isUniqueViolation(error, SUBDOMAIN_IS_UNIQUE) ? subdomainTaken() : error;
  }
}

function orgTypeFromInput({ orgType = ORG_TYPES.unspecified }: CreateRealmRequest): number {
  realmSettingsFromInput(JSON.stringify({ org_type: orgType }));
  return orgType;
}

async function ownerFromInput({ ownerName, ownerEmail, ownerPassword }: CreateRealmRequest) {
  const fullName = fullNameFromInput(ownerName);
  const email = emailFromInput(ownerEmail);
  if (ownerPassword !== undefined) checkPassword(ownerPassword);
  const passwordHash = ownerPassword === undefined ? null : await hashPassword(ownerPassword);
  return { email, fullName, role: ROLES.owner, bot: null, passwordHash };
}

/** Returns the id of the one in which announcements are made. */
async function makeFirstChannels(ctx: Context, tx: Transaction, realmId: number, createdAtMs: number): Promise<number> {
  const descriptions = FIRST_CHANNELS.map(({ description }) => description);
  const rendered = await renderTexts(ctx, tx, { realmId, authorId: null }, descriptions, 'line');
  const channels = FIRST_CHANNELS.map((channel, n) => ({
    ...channel,
    nameKey: nameKey(channel.name),
    renderedDescription: rendered[n] as string,
  }));
  const made = await insertChannels(tx, realmId, channels, {
    creatorId: null,
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
    isDefault: true,
    topicsPolicy: 'inherit',
    messageRetentionDays: null,
    folderId: null,
    createdAtMs,
  });
  return (made.find(({ name }) => name === ANNOUNCEMENT_CHANNEL) as { id: number }).id;
}

/** Another organization has it. */
export function subdomainTaken(): BadRequestError {
  return new BadRequestError('Subdomain already in use. Please choose a different one.');
}
