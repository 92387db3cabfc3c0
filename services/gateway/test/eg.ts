import { GROUP_PERMISSION_SETTINGS } from '@parley/shared/access';
import type {
  Authentication,
  Channel,
  GroupSetting,
  GroupSummary,
  Message,
  Organization,
  OrganizationLists,
  PersonalState,
  RegisterState,
  Subscription,
  User,
  UserSetting,
} from '@parley/shared/proto';
import { settingMessage, USER_SETTING_DEFAULTS, USER_SETTING_NAMES, type UserSettingName } from '@parley/shared/values';

const SYSTEM_GROUPS = ['role:nobody', 'role:everyone', 'role:members', 'role:administrators'];

/** Every example value of these tests, each complete, each with whatever a test wants otherwise. */
export const eg = {
  key: (letter: string) => letter.repeat(32),

  authentication: (over: Partial<Authentication> = {}): Authentication => ({
    outcome: 'ok',
    realmId: 2,
    userId: 11,
    role: 400,
    isBot: false,
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
    ...over,
  }),

  subscription: (over: Partial<Subscription> = {}): Subscription => ({
    channel: eg.channel(),
    color: '#76ce90',
    isMuted: false,
    isPinned: false,
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
    ownUser: eg.user(),
    users: [eg.user()],
    subscriptions: [eg.subscription()],
    unsubscribed: [],
    neverSubscribed: [],
    defaultChannelIds: [7],
    personal: eg.personalState(),
    lists: eg.lists(),
    groups: SYSTEM_GROUPS.map((name, index) => eg.group({ id: 40 + index, name })),
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
    ...over,
  }),
};
