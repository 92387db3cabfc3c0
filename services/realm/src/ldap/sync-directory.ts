import { withAdvisoryLock } from '@parley/shared/db';
import { BadRequestError, PublicError } from '@parley/shared/errors';
import type { SyncedLdapDirectory, SyncLdapDirectoryRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { MAX_TOGETHER } from '../directory/together-or-alone';
import { endAccount, followEntries, followRole, type Place, resumeAccount } from './change-accounts-by-directory';
import { getUsedDirectory, type UsedDirectory } from './directories';
import { takeAccounts } from './directory-accounts';
import { DirectoryError } from './directory-error';
import { followMembers, planOfGroups } from './follow-groups';
import { listIdentities, noteSyncBegun, noteSyncEnded } from './identities.sql';
import type { DirectoryPerson } from './people';
import type { GroupPlan, Known } from './plan-groups';
import { planSync, type SyncPlan } from './plan-sync';
import { type Read, readPeople } from './read-people';

/** Transactions of one step: each changes one account, or makes several. */
const CHANGES_AT_ONCE = 200;
/** Nothing more is begun in a step after this time; a call may take 15 seconds. */
const STEP_MS = 9_000;
const MAX_REASONS = 20;

const NOTHING: SyncedLdapDirectory = {
  ...{ isComplete: true, fault: '', people: 0, created: 0, linked: 0, changed: 0, deactivated: 0, reactivated: 0 },
  ...{ refused: 0, reasons: [], tookMs: 0 },
};

/** A step of a sync, one at a time for each organization. For the scheduler, and for the operator's command. */
export async function syncLdapDirectory(
  ctx: Context,
  requestId: string,
  { subdomain, maxDeactivations }: SyncLdapDirectoryRequest,
): Promise<SyncedLdapDirectory> {
  let result: SyncedLdapDirectory = { ...NOTHING, fault: 'another sync of this directory is running' };
  const settings = await usable(ctx, subdomain);
  if (settings instanceof DirectoryError) return { ...NOTHING, fault: settings.message };
  await withAdvisoryLock(ctx.db.url, `parley-ldap-${settings.realmId}`, async () => {
    result = await step({ ctx, requestId, settings, order: maxDeactivations ?? null });
  });
  return result;
}

async function usable(ctx: Context, subdomain: string): Promise<UsedDirectory | DirectoryError> {
  try {
    const settings = await getUsedDirectory(ctx, subdomain);
    if (!settings.isEnabled) throw new BadRequestError('The directory of this organization is switched off');
    return settings;
  } catch (error) {
    if (error instanceof DirectoryError) return error;
    throw error;
  }
}

interface Sync {
  ctx: Context;
  requestId: string;
  settings: UsedDirectory;
  /** An operator's order; null: none. */
  order: number | null;
}

async function step(sync: Sync): Promise<SyncedLdapDirectory> {
  const { ctx, settings, order } = sync;
  const { realmId } = settings;
  const startedAt = performance.now();
  await noteSyncBegun(ctx.db, realmId, ctx.clock.now());
  const result: SyncedLdapDirectory = { ...NOTHING, reasons: [] };
  let hasRead = false;
  try {
    const read = await readPeople(settings);
    hasRead = true;
    const identities = await listIdentities(ctx.db, realmId);
    const plan = await planSync({ ...read, identities, settings, order });
    const groups = await planOfGroups(ctx, settings, { known: plan.known, groups: read.groups.found });
    Object.assign(result, { people: read.people.length, fault: faultsOf(plan, read) });
    await apply(sync, { ...plan, ...groups }, result, startedAt + STEP_MS);
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    result.fault = error.message;
  }
  result.tookMs = Math.round(performance.now() - startedAt);
  if (result.fault !== '') ctx.log.warn({ realmId, fault: result.fault }, 'the sync of a directory is not complete');
  await noteSyncEnded(ctx.db, realmId, { outcome: result, hasRead });
  return result;
}

/** Faults of people and of groups, in one line. */
export function faultsOf(plan: Pick<SyncPlan, 'fault'>, { groups }: Pick<Read, 'groups'>): string {
  return [plan.fault, groups.fault].filter((fault) => fault !== '').join('; ');
}

type Counted = 'created' | 'linked' | 'changed' | 'deactivated' | 'reactivated';
/** Accounts with the same outcome, or why somebody is refused; null: nothing was to be done. */
type Outcome = Counted | [Counted, number] | { refused: string } | null;
type Change = () => Promise<Outcome[]>;

/** People who have left come first. */
async function apply(
  sync: Sync,
  plan: SyncPlan & GroupPlan,
  result: SyncedLdapDirectory,
  until: number,
): Promise<void> {
  const changes = changesOf(sync, plan);
  for (const reason of plan.refused) refuse(result, reason);
  let [tried, done] = [0, 0];
  for (const change of changes.slice(0, CHANGES_AT_ONCE)) {
    if (tried > 0 && performance.now() > until) break;
    tried += 1;
    for (const outcome of await change()) done += count(result, outcome);
  }
  // Without any progress the rest would be refused like these.
  result.isComplete = (changes.length === tried && !hasNewcomers(sync, result)) || done === 0;
}

/** The next step judges their groups. */
function hasNewcomers({ settings }: Sync, { created, linked, reactivated }: SyncedLdapDirectory): boolean {
  return settings.groupBase !== '' && created + linked + reactivated > 0;
}

/** Returns the number of accounts that changed. */
function count(result: SyncedLdapDirectory, outcome: Outcome): number {
  if (outcome === null) return 0;
  if (typeof outcome === 'object' && 'refused' in outcome) {
    refuse(result, outcome.refused);
    return 0;
  }
  const [what, accounts] = typeof outcome === 'string' ? [outcome, 1] : outcome;
  result[what] += accounts;
  return accounts;
}

function changesOf({ ctx, requestId, settings }: Sync, plan: SyncPlan & GroupPlan): Change[] {
  const place = { ctx, realmId: settings.realmId, requestId };
  const gone = plan.fault === '' ? plan.gone : [];
  return [
    ...gone.map((identity) => single(identity.deliveryEmail, () => endAccount(place, identity))),
    ...plan.memberships.map((each) => single(`group ${each.groupId}`, () => followMembers(place, each))),
    ...plan.roles.map(({ identity, person, after }) => single(person.dn, () => followRole(place, identity, after))),
    ...plan.returned.map(({ identity, person }) => single(person.dn, () => resumeAccount(place, identity))),
    ...plan.changed.map((set) => () => follow(place, set)),
    ...setsOf(plan.fresh).map((people) => () => takeOver(place, people)),
  ];
}

function single(dn: string, change: () => Promise<Exclude<Outcome, { refused: string }>>): Change {
  return async () => [await change().catch((error: unknown) => refusalOf(dn, error))];
}

async function follow(place: Place, set: readonly Known[]): Promise<Outcome[]> {
  const done = await followEntries(place, set);
  return done.map((each, index) => {
    if (each instanceof Error) return refusalOf((set[index] as Known).person.dn, each);
    return each.isChanged ? 'changed' : null;
  });
}

async function takeOver(place: Place, people: readonly DirectoryPerson[]): Promise<Outcome[]> {
  const taken = await takeAccounts(place, people);
  return taken.map((each, index) => {
    if (each instanceof Error) return refusalOf((people[index] as DirectoryPerson).dn, each);
    return each.how === 'known' ? null : each.how;
  });
}

function refusalOf(dn: string, error: unknown): { refused: string } {
  if (!(error instanceof PublicError)) throw error;
  return { refused: `${dn}: ${error.message}` };
}

/** More than one step takes over. From anywhere on: people who are refused each time do not keep others from being taken over. */
function setsOf(people: readonly DirectoryPerson[]): DirectoryPerson[][] {
  const start = Math.floor(Math.random() * people.length);
  const turned = [...people.slice(start), ...people.slice(0, start)];
  const sets = Math.min(Math.ceil(people.length / MAX_TOGETHER), CHANGES_AT_ONCE + 1);
  return Array.from({ length: sets }, (_, index) => turned.slice(index * MAX_TOGETHER, (index + 1) * MAX_TOGETHER));
}

function refuse(result: SyncedLdapDirectory, reason: string): void {
  result.refused += 1;
  if (result.reasons.length < MAX_REASONS) result.reasons.push(reason);
}
