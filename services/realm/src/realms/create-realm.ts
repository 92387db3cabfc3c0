import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { CreateRealmRequest, NewAccount } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { insertChannels } from '../channels/channels.sql';
import { renderDescription } from '../channels/render-description';
import type { Context } from '../context';
import { insertSystemGroups } from '../groups/groups.sql';
import { nameKey } from '../name-key';
import { isUniqueViolation } from '../unique-violation';
import { emailFromInput } from '../users/email-address';
import { fullNameFromInput } from '../users/full-name';
import { openAccount } from '../users/open-account';
import { checkPassword, hashPassword } from '../users/password';
import { realmNameFromInput } from './realm-name';
import { insertRealm, SUBDOMAIN_IS_UNIQUE, setAnnouncementChannel } from './realms.sql';
import { subdomainFromInput } from './subdomain';

const ANNOUNCEMENT_CHANNEL = 'general';
const FIRST_CHANNELS = [
  { name: ANNOUNCEMENT_CHANNEL, description: 'For team-wide conversations' },
  { name: 'sandbox', description: 'A place to try things out' },
];

/** Makes an organization with its groups, first channels and owner. For the operator's command. */
export async function createRealm(ctx: Context, request: CreateRealmRequest): Promise<NewAccount> {
  const realm = { name: realmNameFromInput(request.name), subdomain: subdomainFromInput(request.subdomain) };
  const owner = await ownerFromInput(request);
  const createdAtMs = ctx.clock.now();
  try {
    return await ctx.db.transaction(async (tx) => {
      const realmId = await insertRealm(tx, { ...realm, createdAtMs });
      await insertSystemGroups(tx, realmId, createdAtMs);
      await makeFirstChannels(tx, realmId, createdAtMs);
      const { newAccount, events } = await openAccount(tx, { ...owner, realmId, createdAtMs });
      await announce(tx, ...events);
      return newAccount;
    });
  } catch (error) {
    throw isUniqueViolation(error, SUBDOMAIN_IS_UNIQUE) ? subdomainTaken() : error;
  }
}

async function ownerFromInput({ ownerName, ownerEmail, ownerPassword }: CreateRealmRequest) {
  const fullName = fullNameFromInput(ownerName);
  const email = emailFromInput(ownerEmail);
  if (ownerPassword !== undefined) checkPassword(ownerPassword);
  const passwordHash = ownerPassword === undefined ? null : await hashPassword(ownerPassword);
  return { email, fullName, role: ROLES.owner, bot: null, passwordHash };
}

async function makeFirstChannels(tx: Transaction, realmId: number, createdAtMs: number): Promise<void> {
  const channels = FIRST_CHANNELS.map(({ name, description }) => ({
    name,
    nameKey: nameKey(name),
    description,
    renderedDescription: renderDescription(description),
  }));
  const made = await insertChannels(tx, realmId, channels, {
    creatorId: null,
    isPrivate: false,
    isHistoryPublic: true,
    isDefault: true,
    topicsPolicy: 'inherit',
    createdAtMs,
  });
  for (const { id, name } of made) if (name === ANNOUNCEMENT_CHANNEL) await setAnnouncementChannel(tx, realmId, id);
}

function subdomainTaken(): BadRequestError {
  return new BadRequestError('Subdomain already in use. Please choose a different one.');
}
