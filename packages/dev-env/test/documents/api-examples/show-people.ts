import {
  acceptInvitation,
  addAlertWords,
  addOwnApiKey,
  addUser,
  completeOnboardingStep,
  confirmEmailChange,
  createInvitationLink,
  deactivateOwnUser,
  deactivateUser,
  devFetchApiKey,
  fetchApiKey,
  getAlertWords,
  getApiKeys,
  getOwnUser,
  getRealmPresence,
  getUser,
  getUserByEmail,
  getUserPresence,
  getUserStatus,
  listInvitations,
  listUsers,
  lookUpInvitation,
  muteUser,
  reactivateUser,
  regenerateApiKey,
  removeAlertWords,
  removeAvatar,
  resendInvitation,
  revokeApiKey,
  revokeInvitation,
  revokeInvitationLink,
  runCommand,
  sendInvitations,
  setAvatar,
  unmuteUser,
  updateDisplaySettings,
  updateNotificationsSettings,
  updateOwnStatus,
  updatePresence,
  updateRealm,
  updateUser,
  updateUserByEmail,
  updateUserSettings,
  updateUserStatus,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { PICTURE } from './picture';
import type { Tour } from './tour';

const PASSWORD = 'correct horse battery staple';

/** Users, as others see them. */
export async function showUsers({ network: { dan, eve, iris }, recorder }: Tour): Promise<void> {
  await recorder.show(dan, getOwnUser, {});
  await recorder.show(dan, getUser, { user_id: eve.userId });
  await recorder.show(dan, getUserByEmail, { email: eve.email });
  await recorder.show(dan, listUsers, {});
  await recorder.show(iris, updateUser, { user_id: eve.userId, full_name: 'Eve C. Castillo' });
  await recorder.show(iris, updateUserByEmail, { email: eve.email, full_name: 'Eve Castillo' });
  await recorder.show(dan, muteUser, { muted_user_id: eve.userId });
  await recorder.show(dan, unmuteUser, { muted_user_id: eve.userId });
  await recorder.show(dan, updatePresence, { status: 'active', ping_only: false, last_update_id: -1 });
  await recorder.show(eve, getUserPresence, { user_id_or_email: String(dan.userId) });
  await recorder.show(eve, getRealmPresence, {});
  await recorder.show(dan, updateOwnStatus, { status_text: 'at lunch', emoji_name: 'yum' });
  await recorder.show(eve, getUserStatus, { user_id: dan.userId });
  await recorder.show(iris, updateUserStatus, { user_id: dan.userId, status_text: 'back soon' });
}

/** Users' own settings. */
export async function showSettings({ network: { dan }, recorder, mailedKey }: Tour): Promise<void> {
  await recorder.show(dan, addAlertWords, { alert_words: ['lunch', 'soup'] });
  await recorder.show(dan, getAlertWords, {});
  await recorder.show(dan, removeAlertWords, { alert_words: ['soup'] });
  await recorder.show(dan, completeOnboardingStep, { onboarding_step: 'intro_inbox_view_modal' });
  await recorder.show(dan, runCommand, { command: '/dark' });
  await recorder.show(dan, updateDisplaySettings, { twenty_four_hour_time: true });
  await recorder.show(dan, updateNotificationsSettings, { enable_sounds: false });
  await recorder.show(dan, setAvatar, {}, PICTURE);
  await recorder.show(dan, removeAvatar, {});
  await recorder.show(dan, updateUserSettings, { full_name: 'Dan B. Brooks', email: 'dan.brooks@example.com' });
  await recorder.show(dan, confirmEmailChange, { key: await mailedKey('dan.brooks@example.com') });
}

/** Invitations, from both sides, and the keys of an invited person. */
export async function showInvitations({ network, recorder, generalId, mailedKey }: Tour): Promise<void> {
  const { iris } = network;
  await iris.call(updateRealm, { invite_required: true });
  await recorder.show(iris, sendInvitations, { invitee_emails: 'nora@example.com', stream_ids: [generalId] });
  const [invite] = (await recorder.show(iris, listInvitations, {})).invites;
  await recorder.show(iris, resendInvitation, { invite_id: invite?.id as number });
  const key = await mailedKey('nora@example.com');
  await recorder.show(iris, lookUpInvitation, { key });
  const accepted = await recorder.show(iris, acceptInvitation, { key, full_name: 'Nora Diaz', password: PASSWORD });
  await iris.call(sendInvitations, { invitee_emails: 'otto@example.com', stream_ids: [generalId] });
  await iris.call(createInvitationLink, {});
  const pending = (await iris.call(listInvitations, {})).invites;
  const idOf = (isLink: boolean) => pending.find(({ is_multiuse }) => is_multiuse === isLink)?.id as number;
  await recorder.show(iris, createInvitationLink, { stream_ids: [generalId], invite_expires_in_minutes: 1440 });
  await recorder.show(iris, revokeInvitation, { invite_id: idOf(false) });
  await recorder.show(iris, revokeInvitationLink, { invite_id: idOf(true) });
  await showKeys({ network, recorder }, accepted as unknown as { user_id: number });
}

async function showKeys({ network, recorder }: Pick<Tour, 'network' | 'recorder'>, nora: { user_id: number }) {
  const { eve } = network;
  const signIn = { username: 'nora@example.com', password: PASSWORD };
  const { api_key: apiKey, email } = await recorder.show(eve, fetchApiKey, signIn);
  const client = network.clientOf({ realmId: eve.realmId, userId: nora.user_id, email, apiKey });
  const { api_keys: keys } = await recorder.show(client, getApiKeys, {});
  await recorder.show(client, addOwnApiKey, { label: 'terminal' });
  await recorder.show(client, revokeApiKey, { key_id: keys[0]?.id as number });
  await recorder.show(client, regenerateApiKey, {});
  await recorder.show(eve, devFetchApiKey, { username: 'nora@example.com' });
}

/** Users come and go. */
export async function showComingAndGoing({ network, recorder }: Tour): Promise<void> {
  const { eve, iris } = network;
  await network.realmService.permitUser(newCall(), { subdomain: '', email: iris.email, mayCreateUsers: true });
  const { user_id } = await recorder.show(iris, addUser, {
    email: 'pia@example.com',
    password: PASSWORD,
    full_name: 'Pia Engel',
  });
  await recorder.show(iris, deactivateUser, { user_id });
  await recorder.show(iris, reactivateUser, { user_id });
  await recorder.show(eve, deactivateOwnUser, {});
}
