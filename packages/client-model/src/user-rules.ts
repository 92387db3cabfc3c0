import type { Rules } from './rules';
import {
  add,
  change,
  find,
  type Item,
  listOf,
  mapOf,
  messagesOf,
  NotOneCut,
  type State,
  take,
  takeExisting,
} from './state';

const LISTS = { true: 'realm_users', false: 'realm_non_active_users' } as const;
const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 };

/** People and their bots. */
export const userRules: Rules = {
  'realm_user/add'(state, { person }) {
    const { is_active: isActive, ...user } = person as Item;
    const [known] = takeUser(state, user['user_id']);
    // Replaces a placeholder for the user.
    if (known && !isStranger(known)) throw new NotOneCut(`user ${user['user_id']} is there`);
    add(listOf(state, LISTS[isActive ? 'true' : 'false']), 'user_id', user);
    showInMessages(state, user['user_id'], user);
  },
  'realm_user/remove'(state, { person }, { capabilities }) {
    const { user_id: userId } = person as Item;
    const [known] = takeUser(state, userId);
    if (!known || isStranger(known)) throw new NotOneCut(`there is no user ${userId}`);
    forgetStatus(state, known);
    showInMessages(state, userId, placeholderOf(known));
    if (!capabilities.has('user_list_incomplete')) listOf(state, 'realm_users').push(placeholderOf(known));
  },
  'realm_user/update'(state, { person }) {
    const { user_id: userId, ...changes } = person as Item;
    const users = Object.values(LISTS).flatMap((name) => listOf(state, name));
    changeUser(state, find(users, 'user_id', userId), changes);
    if (userId === state['user_id']) changeOwnAccount(state, changes);
  },
  'realm_bot/add'(state, { bot }) {
    add(listOf(state, 'realm_bots'), 'user_id', { ...(bot as Item) });
  },
  'realm_bot/update'(state, { bot }) {
    const { user_id: userId, ...changes } = bot as Item;
    change(listOf(state, 'realm_bots'), 'user_id', userId, changes);
  },
  'realm_bot/delete'(state, { bot }) {
    take(listOf(state, 'realm_bots'), 'user_id', [(bot as Item)['user_id']]);
  },
  // Simply set: the newest report counts, and not every report is sent.
  presence(state, { presences, email, presence }) {
    if (presences) {
      Object.assign(mapOf(state, 'presences'), presences);
    } else {
      const { website } = presence as Item;
      mapOf(state, 'presences')[String(email)] = { aggregated: website, website };
    }
  },
  // No fetched state contains these.
  realm_export() {},
  realm_export_consent() {},
  invites_changed() {},
  // Simply set: only the named members.
  user_status(state, { id: _, type: __, user_id: userId, ...changes }) {
    const statuses = mapOf(state, 'user_status');
    const merged = Object.entries({ ...statuses[String(userId)], ...changes });
    const shown = merged.filter(([, value]) => value !== '' && value !== false);
    // An emoji has a type even if it is empty.
    const status = Object.fromEntries(shown);
    if (!('emoji_name' in status)) delete status['reaction_type'];
    if (Object.keys(status).length === 0) delete statuses[String(userId)];
    else statuses[String(userId)] = status;
  },
};

function takeUser(state: State, userId: unknown): Item[] {
  return Object.values(LISTS).flatMap((name) => takeExisting(listOf(state, name), 'user_id', [userId]));
}

const isStranger = ({ full_name: name, date_joined: joined }: Item) =>
  name === 'Unknown user' && joined === '1970-01-01T00:00+00:00';

/** The placeholder for a user that a guest cannot see. */
function placeholderOf({ user_id: userId }: Item): Item {
  return {
    ...{ user_id: userId, email: `user${userId}@hidden.invalid`, delivery_email: null, full_name: 'Unknown user' },
    ...{ date_joined: '1970-01-01T00:00+00:00', role: ROLES.member, timezone: '', profile_data: {} },
    ...{ is_owner: false, is_admin: false, is_guest: false, is_bot: false },
    ...{ avatar_url: null, avatar_version: 1 },
  };
}

function changeUser(state: State, user: Item, changes: Item): void {
  const { custom_profile_field: field, is_active: isActive, new_email: email, role, ...plain } = changes;
  const { avatar_url_medium: _, avatar_source: __, ...shown } = plain;
  if (email !== undefined) renamePresence(state, String(user['email']), String(email));
  Object.assign(user, shown, email !== undefined && { email }, role !== undefined && rolesOf(role as number));
  showInMessages(state, user['user_id'], { ...shown, ...(email !== undefined && { email }) });
  if (field) changeProfile(user, field as Item);
  if (isActive === undefined) return;
  take(listOf(state, LISTS[isActive ? 'false' : 'true']), 'user_id', [user['user_id']]);
  add(listOf(state, LISTS[isActive ? 'true' : 'false']), 'user_id', user);
  if (isActive) return;
  forgetStatus(state, user);
  delete mapOf(state, 'presences')[String(user['user_id'])];
}

/** Messages have the names, addresses and pictures of their people. */
function showInMessages(state: State, userId: unknown, { full_name, email, avatar_url }: Item): void {
  const named = { ...(full_name !== undefined && { full_name }), ...(email !== undefined && { email }) };
  const changes = {
    ...(full_name !== undefined && { sender_full_name: full_name }),
    ...(email !== undefined && { sender_email: email }),
    ...(avatar_url !== undefined && { avatar_url }),
  };
  if (Object.keys(changes).length === 0) return;
  for (const message of messagesOf(state)) {
    if (message['sender_id'] === userId) Object.assign(message, changes);
    if (message['type'] !== 'private') continue;
    for (const each of message['display_recipient'] as Item[]) if (each['id'] === userId) Object.assign(each, named);
  }
}

/** Of a user who is gone, as far as it is known of visible users only: old clients identify presences by address. */
function forgetStatus(state: State, { user_id: userId, email }: Item): void {
  delete mapOf(state, 'user_status')[String(userId)];
  delete mapOf(state, 'presences')[String(email)];
}

/** Old clients identify presences by address. */
function renamePresence(state: State, former: string, email: string): void {
  const presences = mapOf(state, 'presences');
  const { [former]: presence } = presences;
  if (!presence || former === email) return;
  delete presences[former];
  presences[email] ??= presence;
}

function changeProfile(user: Item, { id, value, rendered_value: rendered }: Item): void {
  const profile = user['profile_data'] as Record<string, Item>;
  if (value === null && !(String(id) in profile)) throw new NotOneCut(`there is no value of field ${id}`);
  if (value === null) delete profile[String(id)];
  else profile[String(id)] = { value, ...(rendered !== undefined && { rendered_value: rendered }) };
}

function changeOwnAccount(state: State, changes: Item): void {
  const { role, new_email: email, timezone, custom_profile_field: _, avatar_version: __, ...plain } = changes;
  const { bot_owner_id: ___, is_active: ____, ...own } = plain;
  Object.assign(state, own, email !== undefined && { email });
  if (timezone !== undefined) Object.assign(state['user_settings'] as Item, { timezone });
  if (role === undefined) return;
  const { role: _____, ...flags } = rolesOf(role as number);
  Object.assign(state, flags, { is_moderator: (role as number) <= ROLES.moderator });
}

function rolesOf(role: number) {
  return {
    role,
    is_owner: role === ROLES.owner,
    is_admin: role <= ROLES.administrator,
    is_guest: role === ROLES.guest,
  };
}
