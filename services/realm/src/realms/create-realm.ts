import type { RealmPermissionName, SystemGroupName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { CreateRealmRequest, NewAccount } from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO, isEducation, ORG_TYPES, REALM_SETTING_DEFAULTS, ROLES } from '@parley/shared/values';
import { emailFromInput } from '../accounts/email-address';
import { checkPassword, hashPassword } from '../accounts/password';
import { nameKey } from '../base/name-key';
import { isUniqueViolation } from '../base/unique-violation';
import { insertChannels } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { findSystemGroupIds, pointToGroup } from '../group-settings/group-settings.sql';
import { insertSystemGroups } from '../groups/groups.sql';
import { systemBotAccounts } from '../notices/system-bots';
import { insertSystemBots } from '../notices/system-bots.sql';
import { realmNameFromInput, subdomainFromInput } from '../organization/realm-name';
import { insertRealm, SUBDOMAIN_IS_UNIQUE, storeRealmSettings } from '../organization/realms.sql';
import { fullNameFromInput } from '../people/full-name';
import { renderTexts } from '../rendering/render-texts';
import { storeSettingsDefaults } from '../user-settings/user-settings.sql';
import { openAccount } from '../users/open-account';
import { realmSettingsFromInput } from './realm-changes';

const ANNOUNCEMENT_CHANNEL = 'general';
const FIRST_CHANNELS = [
  { name: ANNOUNCEMENT_CHANNEL, description: 'For team-wide conversations' },
  { name: 'sandbox', description: 'A place to try things out' },
  { name: 'tips', description: 'For questions and tips about using this chat' },
];

/** Creates an organization with its groups, first channels and owner. For the operator's command. */
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
  if (ownerPassword !== undefined) await checkPassword(ownerPassword);
  const passwordHash = ownerPassword === undefined ? null : await hashPassword(ownerPassword);
  return { email, fullName, role: ROLES.owner, bot: null, passwordHash };
}

/** Returns the id of the announcement channel. */
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

/** Another organization has the subdomain. */
export function subdomainTaken(): BadRequestError {
  return new BadRequestError('Subdomain already in use. Please choose a different one.');
}

/** Schools start with fewer permissions for non-staff. */
const EDUCATION_PERMISSIONS = {
  can_create_public_channel_group: 'role:administrators',
  can_invite_users_group: 'role:administrators',
  can_create_groups: 'role:moderators',
  can_move_messages_between_channels_group: 'role:moderators',
  can_add_subscribers_group: 'role:moderators',
} as const satisfies Partial<Record<RealmPermissionName, SystemGroupName>>;

interface Beginning {
  orgType: number;
  /** The channel for announcements of new channels and new features. */
  announcementChannelId: number;
}

/** Stores the initial settings that differ from the catalogue's defaults. */
async function beginRealmSettings(
  tx: Transaction,
  realmId: number,
  { orgType, announcementChannelId }: Beginning,
): Promise<void> {
  const { invite_required: isClosed } = REALM_SETTING_DEFAULTS;
  await storeRealmSettings(tx, realmId, {
    ...(orgType !== ORG_TYPES.unspecified && { org_type: orgType }),
    new_stream_announcements_stream_id: announcementChannelId,
    service_update_announcements_stream_id: announcementChannelId,
    // Read receipts are shown where members know one another.
    enable_read_receipts: isClosed,
  });
  if (isEducation(orgType)) await beginEducation(tx, realmId);
}

async function beginEducation(tx: Transaction, realmId: number): Promise<void> {
  const groupIds = await findSystemGroupIds(tx, realmId);
  for (const [name, group] of Object.entries(EDUCATION_PERMISSIONS) as [RealmPermissionName, SystemGroupName][]) {
    await pointToGroup(tx, realmId, { of: 'realm', name }, groupIds[group]);
  }
  await storeSettingsDefaults(tx, realmId, { email_address_visibility: EMAIL_VISIBLE_TO.administrators });
}
