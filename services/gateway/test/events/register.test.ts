import { BadRequestError, ServiceUnavailableError } from '@parley/shared/errors';
import type { ListVersions } from '@parley/shared/proto';
import { registerQueue } from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway({ API_BRANDS: ['service', 'acme'] });
});
afterEach(() => gateway.stop());

const register = (form: Record<string, string> = {}) =>
  gateway.request({ method: 'POST', path: '/api/v1/register', ...formBody(form) });
const UNCONDITIONAL = [
  'acme_feature_level',
  'acme_merge_base',
  'acme_version',
  'last_event_id',
  'msg',
  'queue_id',
  'result',
  'service_feature_level',
  'service_merge_base',
  'service_version',
];
const methodsCalled = (peer: { seen: { method: string }[] }) => peer.seen.map(({ method }) => method);

const ALL_SNAPSHOTS = [
  { service: 'realm', snapshot: '10:10:' },
  { service: 'messages', snapshot: '20:20:' },
  { service: 'scheduler', snapshot: '30:30:' },
  { service: 'invites', snapshot: '40:40:' },
];

describe('the queue', () => {
  test('gets the parameters of the client', async () => {
    await gateway.call(registerQueue, {
      event_types: ['message'],
      narrow: [['stream', 'social']],
      all_public_streams: true,
      apply_markdown: true,
      client_gravatar: false,
      client_capabilities: { empty_topic_name: true, archived_channels: false },
      queue_lifespan_secs: 10_000_000,
    });
    expect(gateway.events.last('createQueue')).toEqual({
      eventTypes: ['message'],
      hasEventTypes: true,
      narrow: [{ operator: 'channel', operand: 'social' }],
      allPublicChannels: true,
      applyMarkdown: true,
      clientGravatar: false,
      capabilities: ['empty_topic_name'],
      lifespanSecs: 604_800,
      clientName: 'Unspecified',
      apiKeyId: expect.any(Number),
      beginning: { epoch: 'e1', beginsAt: 7 },
      snapshots: ALL_SNAPSHOTS,
    });
  });

  test.each([undefined, '[]', '["message","presence"]'])(
    'knows what every service had seen, when %j is fetched',
    async (types) => {
      await register(types === undefined ? {} : { fetch_event_types: types });
      expect(gateway.events.last('createQueue')).toMatchObject({ snapshots: ALL_SNAPSHOTS });
    },
  );

  test('is made without the snapshots of unreachable services, if nothing of theirs is fetched', async () => {
    const unreachable = async () => {
      throw new ServiceUnavailableError();
    };
    gateway.invites.answers.getSnapshot = unreachable;
    gateway.scheduler.answers.getSchedule = unreachable;
    gateway.messages.answers.getClientState = unreachable;
    expect((await register({ fetch_event_types: '["realm_user"]' })).status).toBe(200);
    expect(gateway.events.last('createQueue')).toMatchObject({ snapshots: [{ service: 'realm', snapshot: '10:10:' }] });
    expect((await register({ fetch_event_types: '["message"]' })).json.code).toBe('SERVER_NOT_READY');
  });

  test('is made although all calls together take longer than one is allowed', async () => {
    const { now } = Date;
    let lateMs = 0;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + lateMs);
    const { realm, messages, events } = gateway;
    const { getOwnState } = realm.answers;
    const { getClientState } = messages.answers;
    const { getQueueBeginning } = events.answers;
    events.answers.getQueueBeginning = (...question) =>
      getQueueBeginning(...question).finally(() => (lateMs += 10_000));
    realm.answers.getOwnState = (...question) => getOwnState(...question).finally(() => (lateMs += 10_000));
    messages.answers.getClientState = (...question) => getClientState(...question).finally(() => (lateMs += 10_000));
    const { status } = await register();
    clock.mockRestore();
    expect(status).toBe(200);
    expect(events.last('createQueue')).toMatchObject({ snapshots: ALL_SNAPSHOTS });
  });

  test('has the snapshot of a service that answers late, no later than its fetched state', async () => {
    const { getSnapshot } = gateway.invites.answers;
    const { getOwnState } = gateway.realm.answers;
    const late = () => new Promise((resolve) => setTimeout(resolve, 1_500));
    gateway.invites.answers.getSnapshot = (...question) => late().then(() => getSnapshot(...question));
    gateway.realm.answers.getOwnState = (...question) =>
      late()
        .then(late)
        .then(() => getOwnState(...question));
    await register();
    expect(gateway.events.last('createQueue')).toMatchObject({ snapshots: ALL_SNAPSHOTS });
  });

  test('begins with lists of the same moment as the rest', async () => {
    const { getOwnState, getRegisterState } = gateway.realm.answers;
    let asked = 0;
    let last = 3;
    gateway.realm.answers.getOwnState = async (call, request) => {
      asked += 1;
      const own = await getOwnState(call, request);
      return asked < last ? { ...own, versions: { ...(own.versions as ListVersions), channels: 'other' } } : own;
    };
    await register();
    expect([asked, gateway.events.last('createQueue')]).toMatchObject([3, { snapshots: ALL_SNAPSHOTS }]);
    [asked, last] = [0, 99];
    gateway.realm.answers.getRegisterState = async (call, request) => ({
      ...(await getRegisterState(call, request)),
      snapshot: '11:11:',
    });
    await register();
    const [, ...others] = ALL_SNAPSHOTS;
    const whole = { service: 'realm', snapshot: '11:11:' };
    expect([asked, gateway.events.last('createQueue')]).toMatchObject([3, { snapshots: [whole, ...others] }]);
  });

  test('of a client without event_types gets every type of event', async () => {
    await register({ event_types: 'null' });
    expect(gateway.events.last('createQueue')).toMatchObject({ eventTypes: [], hasEventTypes: false, narrow: [] });
    await register({ event_types: '[]' });
    expect(gateway.events.last('createQueue')).toMatchObject({ eventTypes: [], hasEventTypes: true });
  });

  test('begins before the state is read', async () => {
    let hasBegun = false;
    const seen: boolean[] = [];
    gateway.events.answers.getQueueBeginning = async () => {
      hasBegun = true;
      return { epoch: 'e1', beginsAt: 7 };
    };
    gateway.realm.answers.getRegisterState = async () => {
      seen.push(hasBegun);
      return eg.registerState();
    };
    await register();
    expect(new Set(seen)).toEqual(new Set([true]));
  });

  test('is not made when the state cannot be read', async () => {
    gateway.messages.answers.getMessageState = async () => {
      throw new BadRequestError('no state');
    };
    expect((await register()).json.msg).toBe('no state');
    expect(methodsCalled(gateway.events)).toEqual(['getQueueBeginning']);
  });
});

describe('the state', () => {
  test('that is always there', async () => {
    const { json } = await register({ fetch_event_types: '[]' });
    expect(Object.keys(json).sort()).toEqual(UNCONDITIONAL);
    expect(json).toMatchObject({ queue_id: 'q1', last_event_id: -1, acme_feature_level: 482 });
    expect(methodsCalled(gateway.realm)).not.toContain('getOwnState');
    expect(gateway.messages.last('getClientState')).toEqual({});
  });

  test.each([
    ['message', ['max_message_id']],
    ['subscription', ['never_subscribed', 'subscriptions', 'unsubscribed']],
    ['stream', ['streams']],
    ['default_streams', ['realm_default_streams']],
    ['realm_user_groups', ['realm_user_groups']],
    ['onboarding_steps', ['navigation_tour_video_url', 'onboarding_steps']],
    ['giphy', ['giphy_api_key', 'tenor_api_key']],
    ['stop_words', ['stop_words']],
    ['recent_private_conversations', ['recent_private_conversations']],
    ['no_such_type', []],
  ])('of type %s is %j', async (type, names) => {
    const { json } = await register({ event_types: JSON.stringify([type]) });
    expect(
      Object.keys(json)
        .filter((name) => !UNCONDITIONAL.includes(name))
        .sort(),
    ).toEqual(names);
  });

  test('is chosen by fetch_event_types before event_types', async () => {
    const { json } = await register({ event_types: '["message"]', fetch_event_types: '["stream"]' });
    expect(json).toHaveProperty('streams');
    expect(json).not.toHaveProperty('max_message_id');
  });

  test('of the organization has the limits', async () => {
    const { json } = await register({ fetch_event_types: '["realm"]' });
    expect(json).toMatchObject({
      realm_name: 'Acme',
      realm_url: 'https://chat.example',
      realm_date_created: 1_700_000_000,
      realm_topics_policy: 'allow_empty_topic',
      realm_mandatory_topics: false,
      realm_empty_topic_display_name: 'general chat',
      max_message_length: 10_000,
      max_topic_length: 60,
      max_stream_name_length: 60,
      max_stream_description_length: 1024,
      server_typing_started_expiry_period_milliseconds: 45_000,
      server_typing_stopped_wait_period_milliseconds: 12_000,
      server_typing_started_wait_period_milliseconds: 30_000,
      event_queue_longpoll_timeout_seconds: 90,
      service_plan_is_not_limited: true,
      acme_plan_is_not_limited: true,
    });
  });

  test('of the organization has its settings, also by the names that older clients know', async () => {
    const chosen = {
      topics_policy: 'disable_empty_topic',
      message_edit_history_visibility_policy: 'none',
      message_content_edit_limit_seconds: null,
      jitsi_server_url: 'https://meet.acme.example',
      service_update_announcements_stream_id: 7,
      authentication_methods: { Email: false, Dev: true },
    };
    const state = eg.registerState();
    const realmGroupSettings = {
      ...state.realmGroupSettings,
      can_create_private_channel_group: { directMemberIds: [11], directSubgroupIds: [] },
      can_create_web_public_channel_group: eg.groupSetting(40),
      can_mention_many_users_group: eg.groupSetting(41),
    };
    const realm = eg.organization({ settings: JSON.stringify(chosen), images: [{ kind: 'logo', version: 5 }] });
    gateway.realm.answers.getRegisterState = async () => ({ ...state, realm, realmGroupSettings });
    const { json } = await register({ fetch_event_types: '["realm","realm_billing"]' });
    expect(json).toMatchObject({
      realm_topics_policy: 'disable_empty_topic',
      realm_mandatory_topics: true,
      realm_allow_edit_history: false,
      realm_message_content_edit_limit_seconds: null,
      realm_message_content_delete_limit_seconds: 600,
      realm_message_retention_days: -1,
      realm_new_stream_announcements_stream_id: -1,
      realm_service_update_announcements_stream_id: 7,
      realm_acme_update_announcements_stream_id: 7,
      realm_jitsi_server_url: 'https://meet.acme.example',
      jitsi_server_url: 'https://meet.acme.example',
      server_jitsi_server_url: 'https://meet.jit.si',
      realm_giphy_rating: 2,
      realm_gif_rating_policy: 2,
      realm_authentication_methods: { Email: { enabled: false, available: true } },
      realm_email_auth_enabled: false,
      realm_password_auth_enabled: false,
      realm_can_create_groups: 42,
      realm_can_create_private_channel_group: { direct_members: [11], direct_subgroups: [] },
      realm_create_public_stream_policy: 1,
      realm_create_private_stream_policy: 2,
      realm_create_web_public_stream_policy: 6,
      realm_wildcard_mention_policy: 1,
      realm_icon_source: 'G',
      realm_logo_source: 'U',
      realm_logo_url: '/user_avatars/2/realm/logo.png?version=5',
      realm_night_logo_source: 'D',
      realm_night_logo_url: '/static/images/default-logo.svg',
      realm_uuid: state.realmUuid,
      realm_bot_domain: 'chat.example',
      development_environment: false,
      realm_billing: { has_pending_sponsorship_request: false },
    });
  });

  test('of users shows only what the caller may see', async () => {
    const hidden = eg.user({ id: 9, email: 'user9@chat.example', emailAddressVisibility: 3, fullName: 'Ann' });
    const gone = eg.user({ id: 10, isActive: false });
    const systemBot = eg.user({ id: 12, isBot: true, botType: 1, isSystemBot: true });
    const users = [gone, eg.user(), hidden, systemBot];
    gateway.realm.answers.getRegisterState = async () => eg.registerState({ users });
    const { json } = await register({ fetch_event_types: '["realm_user"]' });
    expect(json.realm_users.map((user: { user_id: number }) => user.user_id)).toEqual([9, 11]);
    expect(json.realm_users[0]).toMatchObject({ email: 'user9@chat.example', delivery_email: null });
    expect(json.realm_users[0]).not.toHaveProperty('is_active');
    expect(json.realm_non_active_users).toHaveLength(1);
    expect(json).toMatchObject({
      user_id: 11,
      email: 'iago@acme.example',
      is_admin: false,
      is_moderator: false,
      can_create_public_streams: true,
      can_create_web_public_streams: false,
      can_invite_others_to_realm: true,
      avatar_url_medium: '/static/pictures/11/I.svg?version=1',
      cross_realm_bots: [{ user_id: 12, is_bot: true, is_system_bot: true, bot_owner_id: null }],
    });
  });

  test('of users leaves pictures to the client, unless it cannot compute them', async () => {
    const form = { fetch_event_types: '["realm_user"]' };
    expect((await register(form)).json.realm_users[0].avatar_url).toBeNull();
    const other = await register({ ...form, client_gravatar: 'false' });
    expect(other.json.realm_users[0].avatar_url).toContain('/static/pictures/');
  });

  test('of channels lists a channel once, with the subscriber’s properties', async () => {
    const archived = eg.subscription({ channel: eg.channel({ id: 8, name: 'old', isArchived: true }) });
    const administrator = { directMemberIds: [9], directSubgroupIds: [] };
    const given = { ...eg.channel().groupSettings, can_administer_channel_group: administrator };
    gateway.realm.answers.getRegisterState = async () =>
      eg.registerState({
        subscriptions: [eg.subscription({ isMuted: true, pushNotifications: true }), archived],
        neverSubscribed: [eg.channel({ id: 3, name: 'elsewhere', groupSettings: given })],
      });
    const form = { fetch_event_types: '["subscription","stream"]' };
    const { json } = await register(form);
    expect(json.subscriptions).toEqual([
      {
        stream_id: 7,
        name: 'social',
        description: 'Chat',
        rendered_description: '<p>Chat</p>',
        date_created: 1_700_000_001,
        creator_id: null,
        invite_only: false,
        is_web_public: false,
        is_archived: false,
        history_public_to_subscribers: true,
        message_retention_days: null,
        topics_policy: 'inherit',
        folder_id: null,
        subscriber_count: 2,
        stream_weekly_traffic: null,
        first_message_id: null,
        is_recently_active: true,
        stream_post_policy: 1,
        is_announcement_only: false,
        can_add_subscribers_group: 40,
        can_administer_channel_group: 40,
        can_create_topic_group: 40,
        can_delete_any_message_group: 40,
        can_delete_own_message_group: 40,
        can_move_messages_out_of_channel_group: 40,
        can_move_messages_within_channel_group: 40,
        can_remove_subscribers_group: 40,
        can_resolve_topics_group: 40,
        can_send_message_group: 40,
        can_subscribe_group: 40,
        color: '#76ce90',
        is_muted: true,
        in_home_view: false,
        pin_to_top: false,
        desktop_notifications: false,
        audible_notifications: false,
        push_notifications: true,
        email_notifications: false,
        wildcard_mentions_notify: true,
      },
    ]);
    const administrators = { direct_members: [9], direct_subgroups: [] };
    expect(json.never_subscribed).toMatchObject([{ stream_id: 3, can_administer_channel_group: administrators }]);
    expect(json.never_subscribed[0]).not.toHaveProperty('color');
    expect(json.streams.map((channel: { name: string }) => channel.name)).toEqual(['elsewhere', 'social']);

    const capabilities = { archived_channels: true, notification_settings_null: true, unknown: true };
    const modern = await register({ ...form, client_capabilities: JSON.stringify(capabilities) });
    expect(modern.json.subscriptions).toMatchObject([
      { desktop_notifications: null, wildcard_mentions_notify: null, push_notifications: true },
      { name: 'old', is_archived: true },
    ]);
    expect(modern.json.streams).toHaveLength(3);
  });

  test('of user groups lists deactivated ones to clients that know them', async () => {
    const settings = { ...eg.group().settings, can_join_group: { directMemberIds: [11], directSubgroupIds: [40, 41] } };
    const friends = {
      id: 42,
      name: 'friends',
      isSystem: false,
      creatorId: 11,
      memberIds: [11],
      directSubgroupIds: [41],
    };
    const groups = [eg.group(), eg.group({ ...friends, settings, isDeactivated: true })];
    gateway.realm.answers.getRegisterState = async () => eg.registerState({ groups });
    const form = { fetch_event_types: '["realm_user_groups"]' };
    const old = await register(form);
    expect(old.json.realm_user_groups.map(({ id }: { id: number }) => id)).toEqual([40]);
    const modern = await register({ ...form, client_capabilities: '{"include_deactivated_groups":true}' });
    expect(modern.json.realm_user_groups[1]).toEqual({
      id: 42,
      name: 'friends',
      description: 'Nobody',
      date_created: 1_700_000_000,
      creator_id: 11,
      members: [11],
      direct_subgroup_ids: [41],
      is_system_group: false,
      deactivated: true,
      can_add_members_group: 40,
      can_join_group: { direct_members: [11], direct_subgroups: [40, 41] },
      can_leave_group: 40,
      can_manage_group: 40,
      can_mention_group: 40,
      can_remove_members_group: 40,
    });
  });

  test('of the organization lists the groups that each permission accepts', async () => {
    const { json } = await register({ fetch_event_types: '["realm"]' });
    const { realm, stream, group } = json.server_supported_permission_settings;
    expect(realm.can_access_all_users_group).toEqual({
      require_system_group: true,
      allow_internet_group: false,
      allow_nobody_group: false,
      allow_everyone_group: true,
      default_group_name: 'role:everyone',
      default_for_system_groups: null,
      allowed_system_groups: ['role:everyone', 'role:members'],
    });
    expect(stream.can_administer_channel_group).toMatchObject({ default_group_name: 'channel_creator' });
    expect(group.can_manage_group).toMatchObject({
      default_group_name: 'group_creator',
      default_for_system_groups: 'role:nobody',
    });
  });
});

describe('POST /register', () => {
  test.each([
    [{ event_types: 'message' }, 'event_types is not valid JSON'],
    [{ event_types: '"message"' }, 'event_types is not a list'],
    [{ narrow: '[["is"]]' }, 'narrow[0] is not length 2'],
    [{ client_capabilities: '{"empty_topic_name":1}' }, 'client_capabilities["empty_topic_name"] is not a boolean'],
    [{ client_capabilities: '[]' }, 'client_capabilities is not a dict'],
    [{ queue_lifespan_secs: '-1' }, 'queue_lifespan_secs is too small'],
  ])('refuses %j', async (form, msg) => {
    expect(await register(form as Record<string, string>)).toMatchObject({ status: 400, json: { msg } });
    expect(methodsCalled(gateway.events)).toEqual([]);
  });

  test('answers refusals of events, and loads no state then', async () => {
    gateway.events.answers.getQueueBeginning = async () => {
      throw new BadRequestError('Operator near not supported.');
    };
    const answer = await register({ narrow: '[["near","1"]]' });
    expect(answer).toMatchObject({ status: 400, json: { msg: 'Operator near not supported.' } });
    expect(methodsCalled(gateway.realm)).not.toContain('getOwnState');
  });

  test('lists unsupported parameters', async () => {
    const { json } = await register({ fetch_event_types: '[]', unheard_of: 'true' });
    expect(json.ignored_parameters_unsupported).toEqual(['unheard_of']);
  });
});
