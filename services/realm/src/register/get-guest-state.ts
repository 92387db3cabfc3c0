import type { Sql } from '@parley/shared/db';
import type { GetOwnStateRequest, GuestView, OwnState, PersonalState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { hasRestrictedGuests, listSeenUsers, type SeenUser } from '../accounts/accessible-users.sql';
import { listProfiles, type ProfileRow } from '../accounts/profiles.sql';
import type { Context } from '../context';
import { knownIdsOf, showUser } from '../users/list-users';
import { writeUserLists } from '../users/user-lists';
import { type Readers, readOwnState } from './get-own-state';

/** The answer of getOwnState() for a guest. Each has a snapshot of their own: of whom they see may be a long list. */
export async function getGuestState(
  ctx: Context,
  readers: Readers,
  caller: Caller,
  { guest, ...request }: GetOwnStateRequest & { guest: GuestView },
): Promise<OwnState> {
  const { result, snapshot } = await ctx.db.readAtOnce((sql) =>
    Promise.all([readOwnState(ctx, sql, readers, [caller, request]), readSeenUsers(sql, caller, guest)]),
  );
  const [whole, seen] = result;
  const own = { ...whole, isForGuest: true };
  if (own.state) own.state.snapshot = snapshot;
  if (!seen || !own.state) return own;
  const personal = own.state.personal && aboutKnown(own.state.personal, seen.users);
  const state = { ...own.state, ...(personal && { personal }) };
  if (!guest.includesUsers) return { ...own, state };
  const lists = await writeSeenUsers(seen, guest, caller.deadlineAt);
  return { ...own, state, seenUsers: { ...lists, version: own.versions?.users ?? '', isKnown: false } };
}

interface SeenUsers {
  users: SeenUser[];
  profiles: ProfileRow[];
}

/** Null: the guest sees everybody. */
async function readSeenUsers(
  sql: Sql,
  { realmId, userId }: Caller,
  { includesUsers }: GuestView,
): Promise<SeenUsers | null> {
  if (!(await hasRestrictedGuests(sql, realmId))) return null;
  const users = await listSeenUsers(sql, realmId, userId, null);
  return { users, profiles: includesUsers ? await listProfiles(sql, realmId, knownIdsOf(users)) : [] };
}

function aboutKnown(personal: PersonalState, seen: readonly SeenUser[]): PersonalState {
  const knownIds = new Set(knownIdsOf(seen));
  return { ...personal, statuses: personal.statuses.filter(({ userId }) => knownIds.has(userId)) };
}

function writeSeenUsers(
  { users, profiles }: SeenUsers,
  { clientGravatar, includesUnknown }: GuestView,
  deadlineAt: number,
): ReturnType<typeof writeUserLists> {
  const shown = users.filter(({ isKnown }) => isKnown || includesUnknown).map(showUser);
  const view = {
    viewerRole: ROLES.guest,
    clientGravatar,
    includesProfiles: true,
    isDivided: true,
    isForVisitors: false,
  };
  return writeUserLists({ users: shown, profiles }, view, deadlineAt);
}
