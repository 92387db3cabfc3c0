import {
  addAlertWords,
  changeGroupMembers,
  changeSubgroups,
  createBot,
  createGroup,
  createProfileField,
  deactivateGroup,
  deactivateUser,
  muteUser,
  reactivateUser,
  removeAlertWords,
  removeProfileField,
  removeProfileValues,
  setProfileValues,
  unmuteUser,
  updateBot,
  updateGroup,
  updateOwnStatus,
  updateProfileField,
  updateUser,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { GROUP_PERMISSION_SETTINGS } from '@parley/shared/access';
import {
  type Action,
  ANY_ROLE,
  anyone,
  ask,
  channelNameIn,
  flip,
  grantedTo,
  groupIn,
  idIn,
  lastingUserIn,
  leader,
  ownGroupIn,
  type Stage,
  strangerIn,
  userIn,
} from './actors';

type Actions = Readonly<Record<string, (stage: Stage) => Action>>;

const botIn = (stage: Stage) => idIn(stage, stage.state, ['realm_bots'], 'user_id');
const fieldIn = (stage: Stage) => idIn(stage, stage.state, ['custom_profile_fields'], 'id');

/** The owner stays one. */
function otherIn(stage: Stage): number {
  const id = userIn(stage);
  return id === stage.people['iris']?.userId ? (stage.people['dan']?.userId as number) : id;
}

const ofUsers: Actions = {
  giveRole: (stage) =>
    ask(stage, leader(stage), updateUser, { user_id: otherIn(stage), role: stage.random.pick(ANY_ROLE) }),
  rename: (stage) => ask(stage, leader(stage), updateUser, { user_id: otherIn(stage), full_name: stage.name }),
  deactivate: (stage) => ask(stage, 'iris', deactivateUser, { user_id: strangerIn(stage) }),
  reactivate: (stage) => ask(stage, 'iris', reactivateUser, { user_id: strangerIn(stage) }),
  tellProfile: (stage) =>
    ask(stage, anyone(stage), setProfileValues, {
      data: [{ id: fieldIn(stage), value: stage.random.pick(['', stage.name, '*it*']) }],
    }),
  forgetProfile: (stage) => ask(stage, anyone(stage), removeProfileValues, { data: [fieldIn(stage)] }),
  tellProfileOfOther: (stage) =>
    ask(stage, leader(stage), updateUser, {
      user_id: userIn(stage),
      profile_data: [{ id: fieldIn(stage), value: flip(stage) ? null : stage.name }],
    }),
  setStatus: (stage) =>
    ask(stage, anyone(stage), updateOwnStatus, {
      ...(flip(stage) && { status_text: flip(stage) ? stage.name : '' }),
      ...(flip(stage) && { emoji_name: flip(stage) ? 'car' : '' }),
      ...(stage.random.happens(0.3) && { away: flip(stage) }),
    }),
  showAddress: (stage) =>
    ask(stage, anyone(stage), updateUserSettings, { email_address_visibility: 1 + stage.random.below(5) }),
  setPersonally: (stage) =>
    ask(
      stage,
      anyone(stage),
      updateUserSettings,
      stage.random.pick([
        { timezone: stage.random.pick(['Europe/Berlin', 'Asia/Tokyo', '']) },
        { web_font_size_px: 12 + stage.random.below(8) },
        { presence_enabled: flip(stage) },
        { full_name: stage.name },
        { enable_stream_desktop_notifications: flip(stage) },
        { automatically_follow_topics_policy: 1 + stage.random.below(4) },
      ]),
    ),
  mute: (stage) => ask(stage, anyone(stage), muteUser, { muted_user_id: userIn(stage) }),
  unmute: (stage) => ask(stage, anyone(stage), unmuteUser, { muted_user_id: userIn(stage) }),
  listenFor: (stage) => ask(stage, anyone(stage), addAlertWords, { alert_words: [stage.random.pick(['soup', 'tea'])] }),
  ignore: (stage) => ask(stage, anyone(stage), removeAlertWords, { alert_words: [stage.random.pick(['soup', 'tea'])] }),
};

const ofBots: Actions = {
  makeBot: (stage) =>
    ask(stage, anyone(stage), createBot, {
      ...{ full_name: stage.name, short_name: stage.name, bot_type: stage.random.pick([1, 2]) },
      ...(flip(stage) && { default_sending_stream: channelNameIn(stage) }),
    }),
  changeBot: (stage) =>
    ask(stage, leader(stage), updateBot, {
      bot_id: botIn(stage),
      ...stage.random.pick([
        { full_name: stage.name },
        { default_sending_stream: channelNameIn(stage) },
        { default_sending_stream: '' },
        { bot_owner_id: lastingUserIn(stage) },
      ]),
    }),
};

const ofGroups: Actions = {
  makeGroup: (stage) =>
    ask(stage, leader(stage), createGroup, {
      ...{ name: stage.name, description: '', members: [userIn(stage)] },
      subgroups: flip(stage) ? [groupIn(stage)] : [],
    }),
  changeGroup: (stage) => {
    const permission = stage.random.pick(Object.keys(GROUP_PERMISSION_SETTINGS));
    return ask(stage, leader(stage), updateGroup, {
      user_group_id: ownGroupIn(stage),
      ...stage.random.pick([
        { name: stage.name },
        { description: stage.name },
        { deactivated: false },
        { [permission]: { new: grantedTo(stage) } },
      ]),
    });
  },
  enter: (stage) =>
    ask(stage, leader(stage), changeGroupMembers, { user_group_id: ownGroupIn(stage), add: [userIn(stage)] }),
  exit: (stage) =>
    ask(stage, leader(stage), changeGroupMembers, { user_group_id: ownGroupIn(stage), delete: [userIn(stage)] }),
  nest: (stage) =>
    ask(stage, leader(stage), changeSubgroups, { user_group_id: ownGroupIn(stage), add: [groupIn(stage)] }),
  unnest: (stage) =>
    ask(stage, leader(stage), changeSubgroups, { user_group_id: ownGroupIn(stage), delete: [ownGroupIn(stage)] }),
  disband: (stage) => ask(stage, leader(stage), deactivateGroup, { user_group_id: ownGroupIn(stage) }),
};

const ofFields: Actions = {
  makeField: (stage) =>
    ask(stage, 'iris', createProfileField, { name: stage.name, field_type: stage.random.pick([1, 2]) }),
  changeField: (stage) => ask(stage, 'iris', updateProfileField, { field_id: fieldIn(stage), name: stage.name }),
  removeField: (stage) => ask(stage, 'iris', removeProfileField, { field_id: fieldIn(stage) }),
};

/** Accounts, their bots, profiles and groups. */
export const peopleActions: Actions = { ...ofUsers, ...ofBots, ...ofGroups, ...ofFields };
