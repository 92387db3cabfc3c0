import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, RealmDeactivatedError } from '@parley/shared/errors';
import { realmChanged } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  GetLdapDirectoryRequest,
  LdapDirectories,
  LdapDirectory,
  ListLdapDirectoriesRequest,
  Organization,
  RemoveLdapDirectoryResponse,
  SetLdapDirectoryRequest,
  SyncedLdapDirectory,
} from '@parley/shared/proto';
import { availableMethods, realmSettingsOf } from '@parley/shared/values';
import { publicAuthenticationMethods } from '@parley/shared/wire';
import { possibleIds } from '../base/possible-values';
import { openSecret, sealSecret } from '../base/sealed-secret';
import type { Context, Tables } from '../context';
import { listFillableGroups } from '../directory/outside-memberships.sql';
import { getRealm } from '../organization/change-organization';
import { lockRealm } from '../organization/realms.sql';
import { DirectoryError } from './directory-error';
import { type DirectorySettings, settingsFromInput } from './directory-settings';
import { countActiveIdentities, listDueSubdomains } from './identities.sql';

/** An organization's directory, as it is used. */
export interface UsedDirectory extends DirectorySettings {
  realmId: number;
  /** Of the service account; empty: anonymous. */
  bindPassword: string;
}

const MAX_PASSWORD_LENGTH = 1_000;
const purposeOf = (realmId: number) => `bind password of ${realmId}` as const;

/** Creates or changes an organization's directory. For the operator's command. */
export async function setLdapDirectory(ctx: Context, request: SetLdapDirectoryRequest): Promise<LdapDirectory> {
  const realm = await getRealm(ctx, request);
  const { id: realmId } = realm;
  const { bindPassword } = request;
  if ((bindPassword ?? '').length > MAX_PASSWORD_LENGTH) throw new BadRequestError('bind_password is too long');
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockRealm(tx, realmId);
    const former = await findRow(prisma, realmId);
    const settings = settingsFromInput(former && settingsOf(former), request);
    if (request.groupRules) await checkRuledGroups(tx, realmId, settings);
    if (!former && settings.bindDn !== '' && !bindPassword) throw new BadRequestError('bind_password is missing');
    const sealed = sealSecret(ctx.config.BOT_KEY_SECRET, purposeOf(realmId), bindPassword ?? '');
    // A new object: Prisma takes the rules for JSON values only as such.
    const data = { ...settings, groupRules: jsonOf(settings.groupRules), roleRules: jsonOf(settings.roleRules) };
    await prisma.ldapDirectory.upsert({
      where: { realmId },
      create: { realmId, ...data, bindPassword: Uint8Array.from(sealed) },
      update: { ...data, ...(bindPassword !== undefined && { bindPassword: Uint8Array.from(sealed) }) },
    });
    if (settings.isEnabled !== (former?.isEnabled ?? false)) {
      await announce(tx, methodsChanged(ctx, { ...realm, hasLdap: settings.isEnabled }));
    }
  });
  return getLdapDirectory(ctx, request);
}

async function checkRuledGroups(tx: Transaction, realmId: number, { groupRules }: DirectorySettings): Promise<void> {
  const ids = groupRules.map(({ groupId }) => groupId);
  const known = new Set(await listFillableGroups(tx, realmId, possibleIds(ids)));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new BadRequestError(`group_rules names group ${unknown}, which cannot have members from outside.`);
}

function jsonOf<Value extends object>(values: readonly Value[]): Record<string, string | number>[] {
  return values.map((value) => ({ ...value }) as Record<string, string | number>);
}

function methodsChanged({ config }: Context, realm: Organization) {
  const methods = realmSettingsOf(realm).authentication_methods;
  const authenticationMethods = publicAuthenticationMethods(methods, availableMethods(config), realm);
  return realmChanged(realm.id, { settings: {}, groupSettings: {}, authenticationMethods });
}

/** The directory's settings, and what came of its last sync. For the operator's command. */
export async function getLdapDirectory(ctx: Context, { subdomain }: GetLdapDirectoryRequest): Promise<LdapDirectory> {
  const { id: realmId } = await getRealm(ctx, { subdomain });
  const row = await findRow(ctx.prisma, realmId);
  if (!row) throw noDirectory();
  const sync = await ctx.prisma.ldapSync.findUnique({ where: { realmId } });
  const { maxDeactivations, groupRules, roleRules, ...settings } = settingsOf(row);
  return {
    ...settings,
    groupRules: [...groupRules],
    roleRules: [...roleRules],
    ...(maxDeactivations !== null && { maxDeactivations }),
    accounts: await countActiveIdentities(ctx.db, realmId),
    ...(sync && { syncedAtMs: sync.beganAt.getTime(), lastSync: sync.outcome as unknown as SyncedLdapDirectory }),
  };
}

/** Forgets the directory and which accounts belong to its entries. For the operator's command. */
export async function removeLdapDirectory(
  ctx: Context,
  { subdomain }: GetLdapDirectoryRequest,
): Promise<RemoveLdapDirectoryResponse> {
  const realm = await getRealm(ctx, { subdomain });
  const where = { realmId: realm.id };
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockRealm(tx, realm.id);
    const { count } = await prisma.ldapDirectory.deleteMany({ where });
    if (count === 0) throw noDirectory();
    await prisma.ldapIdentity.deleteMany({ where });
    await prisma.ldapSync.deleteMany({ where });
    if (realm.hasLdap) await announce(tx, methodsChanged(ctx, { ...realm, hasLdap: false }));
  });
  return {};
}

/** Organizations with a directory in use whose last sync began that long ago; for the scheduler. */
export async function listLdapDirectories(
  ctx: Context,
  { olderThanMs }: ListLdapDirectoriesRequest,
): Promise<LdapDirectories> {
  const nowMs = ctx.clock.now();
  return { subdomains: await listDueSubdomains(ctx.db, nowMs - olderThanMs, nowMs) };
}

/** The directory of an organization, in use or not. */
export async function getUsedDirectory(ctx: Context, subdomain: string): Promise<UsedDirectory> {
  const { id: realmId, isDeactivated } = await getRealm(ctx, { subdomain });
  if (isDeactivated) throw new RealmDeactivatedError();
  const row = await findRow(ctx.prisma, realmId);
  if (!row) throw noDirectory();
  return usedDirectory(ctx, row);
}

/** The directory in which people of the organization sign in; null: none. */
export async function findEnabledDirectory(ctx: Context, realmId: number): Promise<UsedDirectory | null> {
  const row = await findRow(ctx.prisma, realmId);
  return row?.isEnabled ? usedDirectory(ctx, row) : null;
}

export async function isDirectoryEnabled({ prisma }: Context, realmId: number): Promise<boolean> {
  const row = await prisma.ldapDirectory.findUnique({ where: { realmId }, select: { isEnabled: true } });
  return row?.isEnabled ?? false;
}

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>;

function findRow(prisma: Tables, realmId: number) {
  return prisma.ldapDirectory.findUnique({ where: { realmId } });
}

function usedDirectory({ config }: Context, row: Row): UsedDirectory {
  const { realmId } = row;
  const bindPassword = openSecret(config.BOT_KEY_SECRET, purposeOf(realmId), row.bindPassword);
  if (bindPassword === null) {
    const reason = 'the password of the service account was stored under another BOT_KEY_SECRET; set it again';
    throw new DirectoryError('credentials', reason);
  }
  return { ...settingsOf(row), realmId, bindPassword };
}

function settingsOf({ realmId: _realmId, bindPassword: _password, ...row }: Row): DirectorySettings {
  return row as unknown as DirectorySettings;
}

function noDirectory(): BadRequestError {
  return new BadRequestError('This organization has no LDAP directory');
}
