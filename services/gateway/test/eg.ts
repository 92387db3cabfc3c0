import {
  CHANNEL_PERMISSION_SETTINGS,
  GROUP_PERMISSION_SETTINGS,
  REALM_PERMISSION_SETTINGS,
} from '@parley/shared/access';
import type {
  Authentication,
  Channel,
  GroupSetting,
  GroupSummary,
  Message,
  Organization,
  OrganizationLists,
  OwnRights,
  PersonalState,
  RegisterState,
  SubscribeResponse,
  Subscription,
  User,
  UserSetting,
} from '@parley/shared/proto';
import { settingMessage, USER_SETTING_DEFAULTS, USER_SETTING_NAMES, type UserSettingName } from '@parley/shared/values';

const SYSTEM_GROUPS = ['role:nobody', 'role:everyone', 'role:members', 'role:administrators'];

/** Complete example values for these tests; tests override members. */
export const eg = {
  key: (letter: string) => letter.repeat(32),

  authentication: (over: Partial<Authentication> = {}): Authentication => ({
    outcome: 'ok',
    realmId: 2,
    userId: 11,
    role: 400,
    isBot: false,
    apiKeyId: 31,
    ...over,
  }),

  organization: (over: Partial<Organization> = {}): Organization => ({
    id: 2,
    subdomain: '',
    name: 'Acme',
    description: 'We make *everything*',
    renderedDescription: '<p>We make <em>everything</em></p>',
    isDeactivated: false,
    topicsPolicy: 'allow_empty_topic',
    createdAtMs: 1_700_000_000_500,
    settings: '{}',
    images: [],
    hasLdap: false,
    ...over,
  }),

  user: (over: Partial<User> = {}): User => ({
    id: 11,
    realmId: 2,
    email: 'iago@acme.example',
    deliveryEmail: 'iago@acme.example',
    fullName: 'Iago',
    role: 400,
    isBot: false,
    isActive: true,
    timezone: 'Europe/Berlin',
    avatarSource: 'G',
    avatarVersion: 1,
    emailAddressVisibility: 1,
    joinedAtMs: Date.parse('2019-10-20T07:50:12Z'),
    ...over,
  }),

  channel: (over: Partial<Channel> = {}): Channel => ({
    id: 7,
    name: 'social',
    description: 'Chat',
    renderedDescription: '<p>Chat</p>',
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
    isArchived: false,
    topicsPolicy: 'inherit',
    subscriptionVersion: 3,
    createdAtMs: 1_700_000_001_000,
    subscriberCount: 2,
    groupSettings: Object.fromEntries(
      Object.keys(CHANNEL_PERMISSION_SETTINGS).map((name) => [name, eg.groupSetting(40)]),
    ),
    postPolicy: 1,
    ...over,
  }),

  subscription: (over: Partial<Subscription> = {}): Subscription => ({
    channel: eg.channel(),
    color: '#76ce90',
    isMuted: false,
    isPinned: false,
    ...over,
  }),

  subscribed: (over: Partial<SubscribeResponse> = {}): SubscribeResponse => ({
    subscribed: [],
    alreadySubscribed: [],
    unauthorized: [],
    areNoticesSent: false,
    ...over,
  }),

  ownRights: (over: Partial<OwnRights> = {}): OwnRights => ({
    mayCreatePublicChannels: true,
    mayCreatePrivateChannels: true,
    mayCreateWebPublicChannels: false,
    maySubscribeOthers: true,
    mayInviteOthers: true,
    ...over,
  }),

  /** Given to a named group. */
  groupSetting: (groupId: number): GroupSetting => ({ groupId, directMemberIds: [], directSubgroupIds: [] }),

  group: (over: Partial<GroupSummary> = {}): GroupSummary => ({
    id: 40,
    name: 'role:nobody',
    description: 'Nobody',
    isSystem: true,
    memberIds: [],
    directSubgroupIds: [],
    createdAtMs: 1_700_000_000_500,
    isDeactivated: false,
    settings: Object.fromEntries(Object.keys(GROUP_PERMISSION_SETTINGS).map((name) => [name, eg.groupSetting(40)])),
    ...over,
  }),

  personalState: (over: Partial<PersonalState> = {}): PersonalState => ({
    settings: USER_SETTING_NAMES.map(eg.userSetting),
    settingsDefaults: USER_SETTING_NAMES.map(eg.userSetting),
    alertWords: [],
    mutedUsers: [],
    navigationViews: [],
    completedOnboardingSteps: [],
    clientDeviceIds: [],
    statuses: [],
    ...over,
  }),

  /** A setting with its default. */
  userSetting: (name: UserSettingName): UserSetting => settingMessage(name, USER_SETTING_DEFAULTS[name]),

  lists: (over: Partial<OrganizationLists> = {}): OrganizationLists => ({
    linkifiers: [],
    playgrounds: [],
    channelFolders: [],
    domains: [],
    profileFields: [],
    profiles: [],
    customEmoji: [],
    ...over,
  }),

  registerState: (over: Partial<RegisterState> = {}): RegisterState => ({
    realm: eg.organization(),
    realmGroupSettings: Object.fromEntries(
      Object.keys(REALM_PERMISSION_SETTINGS).map((name) => [name, eg.groupSetting(42)]),
    ),
    systemGroupIds: Object.fromEntries(SYSTEM_GROUPS.map((name, index) => [name, 40 + index])),
    realmUuid: '9b2f6d0e-3c1a-4f57-8a6b-2d4e5f607182',
    ownRights: eg.ownRights(),
    ownUser: eg.user(),
    users: [eg.user()],
    unknownUserIds: [],
    subscriptions: [eg.subscription()],
    unsubscribed: [],
    neverSubscribed: [],
    defaultChannelIds: [7],
    channelSubscribers: [],
    defaultChannelGroups: [],
    personal: eg.personalState(),
    lists: eg.lists(),
    bots: [],
    groups: SYSTEM_GROUPS.map((name, index) => eg.group({ id: 40 + index, name })),
    snapshot: '10:10:',
    ...over,
  }),

  message: (over: Partial<Message> = {}): Message => ({
    id: 501,
    realmId: 2,
    sender: eg.user(),
    channelId: 7,
    channelName: 'social',
    participants: [],
    topic: 'lunch',
    content: 'Hello *you*',
    renderedContent: '<p>Hello <em>you</em></p>',
    sentAtMs: 1_700_000_002_900,
    clientName: 'website',
    recipientId: 70,
    isMeMessage: false,
    topicLinks: [],
    flags: ['read'],
    senderRealm: '',
    reactions: [],
    submessages: [],
    ...over,
  }),
};
