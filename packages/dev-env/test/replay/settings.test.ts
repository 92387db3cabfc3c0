import {
  addAllowedDomain,
  addLinkifier,
  addPlayground,
  completeOnboardingStep,
  createDrafts,
  createProfileField,
  createSavedSnippet,
  deactivateCustomEmoji,
  deleteDraft,
  deleteSavedSnippet,
  getServerSettings,
  removeAllowedDomain,
  removeLinkifier,
  removePlayground,
  removeProfileField,
  removeRealmIcon,
  removeRealmLogo,
  reorderLinkifiers,
  reorderProfileFields,
  updateAllowedDomain,
  updateDraft,
  updateLinkifier,
  updateProfileField,
  updateRealm,
  updateSavedSnippet,
  updateUserSettings,
  updateUserSettingsDefaults,
} from '@parley/gateway/endpoints';
import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import { newCall } from '@parley/shared/rpc';
import {
  REALM_SETTING_DEFAULTS,
  REALM_SETTING_NAMES,
  REALM_SETTINGS,
  type RealmSettingName,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '@parley/shared/values';
import { type TestClient, TestNetwork } from '../../src';
import { multipart, PNG } from '../multipart';
import { expectFreshEqualsReplayed, type Followers, followEveryone } from './harness';

let network: TestNetwork;
let followers: Followers;

beforeAll(async () => {
  network = await TestNetwork.create({ settings: { WEB_PUBLIC_STREAMS_ENABLED: 'true', DEV_LOGIN: 'true' } });
  followers = await followEveryone(network);
});
afterAll(() => network.stop());

function expectReplayed(produced: readonly string[], action: () => Promise<unknown>) {
  return expectFreshEqualsReplayed(network, followers, produced, action);
}

async function uploadPicture(client: TestClient, path: string, fields: Record<string, string> = {}): Promise<void> {
  const form = multipart({ name: 'a.png', bytes: PNG, type: 'image/png' }, fields);
  const answer = await client.callRaw({ method: 'POST', path: `/api/v1${path}`, ...form });
  expect(answer.json).toMatchObject({ result: 'success' });
}

describe('an account', () => {
  test('has every setting otherwise', async () => {
    const { dan } = network;
    const produced = [
      ...USER_SETTING_NAMES.map((name) => `user_settings/update:${name}`),
      ...['update_display_settings', 'update_global_notifications'],
    ];
    await expectReplayed(produced, () =>
      dan.call(updateUserSettings, Object.fromEntries(USER_SETTING_NAMES.map((name) => [name, otherSetting(name)]))),
    );
  });

  test('has its settings as they were before', async () => {
    const { dan } = network;
    const values = USER_SETTING_NAMES.map((name) => [name, USER_SETTINGS[name].default]);
    await expectReplayed(['user_settings/update'], () => dan.call(updateUserSettings, Object.fromEntries(values)));
  });

  test('lives in another time zone', async () => {
    await expectReplayed(
      ['user_settings/update:timezone', 'update_display_settings', 'realm_user/update:timezone'],
      () => network.eve.call(updateUserSettings, { timezone: 'Asia/Tokyo' }),
    );
  });
});

test('new accounts begin with other settings', async () => {
  const names = USER_SETTING_NAMES.filter((name) => !USER_SETTINGS[name].isPersonal);
  const produced = names.map((name) => `realm_user_settings_defaults/update:${name}`);
  await expectReplayed(produced, () =>
    network.iris.call(updateUserSettingsDefaults, Object.fromEntries(names.map((name) => [name, otherSetting(name)]))),
  );
});

function otherSetting(name: UserSettingName): boolean | number | string {
  const { default: value, choices, range } = USER_SETTINGS[name];
  if (typeof value === 'boolean') return !value;
  if (choices) return choices.find((choice) => choice !== value) as number | string;
  return range ? range.max : 'de';
}

describe('an organization', () => {
  const single = REALM_SETTING_NAMES.filter((name) => !['authentication_methods', 'jitsi_server_url'].includes(name));

  test('has every setting otherwise', async () => {
    const values = single.map((name) => [name, otherRealmSetting(name)]);
    const produced = [
      ...single.map(nameOfEvent),
      'realm/update:gif_rating_policy',
      'realm/update_dict:mandatory_topics',
    ];
    await expectReplayed(produced, () => network.iris.call(updateRealm, Object.fromEntries(values)));
  });

  test('has its limits removed', async () => {
    const names = single.filter((name) => Object.values(REALM_SETTINGS[name].words ?? {}).includes(null));
    const unlimited = Object.fromEntries(names.map((name) => [name, 'unlimited']));
    await expectReplayed(names.map(nameOfEvent), () => network.iris.call(updateRealm, unlimited));
  });

  test('has another video server, and the usual one', async () => {
    for (const url of ['https://meet.example.com', 'default']) {
      await expectReplayed(['realm/update:jitsi_server_url'], () =>
        network.iris.call(updateRealm, { jitsi_server_url: url }),
      );
    }
  });

  test('disables passwords, and enables them again', async () => {
    for (const isEnabled of [false, true]) {
      await expectReplayed(['realm/update_dict:authentication_methods'], () =>
        network.iris.call(updateRealm, { authentication_methods: { Email: isEnabled, Dev: true } }),
      );
    }
  });

  test('has another name and another description', async () => {
    await expectReplayed(['realm/update:name', 'realm/update_dict:rendered_description'], () =>
      network.iris.call(updateRealm, { name: 'Abode', description: 'Where *we* live' }),
    );
  });

  test.each([
    ['can_access_all_users_group', 'role:members'],
    ['can_create_web_public_channel_group', 'role:moderators'],
  ])('gives %s to the group %s', async (name, groupName) => {
    const groups = followers[0]?.state['realm_user_groups'] as { name: string; id: number }[];
    const value = { new: groups.find((group) => group.name === groupName)?.id as number };
    const endsQueuesOf = name === 'can_access_all_users_group' ? ['faye'] : [];
    const action = () => network.iris.call(updateRealm, { [name]: value });
    await expectFreshEqualsReplayed(network, followers, [`realm/update_dict:${name}`], action, { endsQueuesOf });
  });

  test('gives permissions that were policies of old to groups of roles', async () => {
    const groups = followers[0]?.state['realm_user_groups'] as { name: string; id: number }[];
    const permissions = [
      ['can_create_private_channel_group', 'create_private_stream_policy', 'role:moderators'],
      ['can_create_public_channel_group', 'create_public_stream_policy', 'role:fullmembers'],
      ['can_mention_many_users_group', 'wildcard_mention_policy', 'role:everyone'],
    ] as const;
    const produced = permissions.flatMap(([name, policy]) => [`realm/update_dict:${name}`, `realm/update:${policy}`]);
    await expectReplayed(produced, async () => {
      for (const [name, , groupName] of permissions) {
        const value = { new: groups.find((group) => group.name === groupName)?.id as number };
        await network.iris.call(updateRealm, { [name]: value });
      }
    });
  });

  test('gives permissions to some', async () => {
    const permissions = Object.entries(REALM_PERMISSION_SETTINGS).filter(([, rules]) => !rules.requiresSystemGroup);
    const names = permissions.map(([name]) => name);
    const value = { new: { direct_members: [network.dan.userId], direct_subgroups: [] } };
    const produced = names.map((name) => `realm/update_dict:${name}`);
    await expectReplayed(produced, () =>
      network.iris.call(updateRealm, Object.fromEntries(names.map((name) => [name, value]))),
    );
  });

  test('has an icon and logos, and the usual ones', async () => {
    const produced = ['icon', 'icon_url', 'logo', 'logo_source', 'night_logo', 'night_logo_url'];
    await expectReplayed(
      produced.map((name) => `realm/update_dict:${name}`),
      async () => {
        await uploadPicture(network.iris, '/realm/icon');
        await uploadPicture(network.iris, '/realm/logo', { night: 'false' });
        await uploadPicture(network.iris, '/realm/logo', { night: 'true' });
      },
    );
    await expectReplayed(['realm/update_dict:icon', 'realm/update_dict:logo'], async () => {
      await network.iris.call(removeRealmIcon, {});
      await network.iris.call(removeRealmLogo, { night: false });
    });
  });
});

const GROUPED_SETTINGS: readonly string[] = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'topics_policy',
];

function nameOfEvent(name: RealmSettingName): string {
  return `realm/${GROUPED_SETTINGS.includes(name) ? 'update_dict' : 'update'}:${name}`;
}

function otherRealmSetting(name: RealmSettingName): boolean | number | string {
  const value = REALM_SETTING_DEFAULTS[name];
  const { choices, isChannel } = REALM_SETTINGS[name];
  if (isChannel) return leadsId();
  if (typeof value === 'boolean') return !current(name);
  if (choices) return choices.find((choice) => choice !== value) as number | string;
  return typeof value === 'number' ? 12 : name === 'default_language' ? 'de' : 'python';
}

function current(name: RealmSettingName): unknown {
  const [iris] = followers;
  return iris?.state[`realm_${name}`];
}

function leadsId(): number {
  const channels = followers[0]?.state['streams'] as { name: string; stream_id: number }[];
  return channels.find(({ name }) => name === 'leads')?.stream_id as number;
}

describe("an organization's lists", () => {
  test('custom emoji are added, and taken out of use', async () => {
    await expectReplayed(['realm_emoji/update'], () => uploadPicture(network.dan, '/realm/emoji/logo'));
    await expectReplayed(['realm_emoji/update'], () =>
      network.iris.call(deactivateCustomEmoji, { emoji_name: 'logo' }),
    );
  });

  test('linkifiers are added, changed, put into another order, and removed', async () => {
    const { iris } = network;
    const url_template = 'https://example.com/{id}';
    const ids: number[] = [];
    await expectReplayed(['realm_linkifiers'], async () => {
      for (const letter of ['A', 'B']) {
        ids.push((await iris.call(addLinkifier, { pattern: `${letter}(?P<id>[0-9]+)`, url_template })).id);
      }
    });
    const [first, second] = ids as [number, number];
    await expectReplayed(['realm_linkifiers'], () =>
      iris.call(updateLinkifier, { filter_id: first, pattern: 'C(?P<id>[0-9]+)', url_template }),
    );
    await expectReplayed(['realm_linkifiers'], () =>
      iris.call(reorderLinkifiers, { ordered_linkifier_ids: [second, first] }),
    );
    await expectReplayed(['realm_linkifiers'], () => iris.call(removeLinkifier, { filter_id: first }));
  });

  test('playgrounds are added and removed', async () => {
    const { iris } = network;
    const playground = { name: 'Try', pygments_language: 'Python', url_template: 'https://example.com/?c={code}' };
    let playground_id = 0;
    await expectReplayed(['realm_playgrounds'], async () => {
      playground_id = (await iris.call(addPlayground, playground)).id;
    });
    await expectReplayed(['realm_playgrounds'], () => iris.call(removePlayground, { playground_id }));
  });

  test('domains are allowed, with their subdomains, and no longer', async () => {
    const { iris } = network;
    const domain = 'example.net';
    await expectReplayed(['realm_domains/add'], () => iris.call(addAllowedDomain, { domain, allow_subdomains: false }));
    await expectReplayed(['realm_domains/change'], () =>
      iris.call(updateAllowedDomain, { domain, allow_subdomains: true }),
    );
    await iris.call(updateRealm, { emails_restricted_to_domains: true });
    await expectReplayed(['realm_domains/remove', 'realm/update:emails_restricted_to_domains'], () =>
      iris.call(removeAllowedDomain, { domain }),
    );
  });

  test('profile fields are made, changed, put into another order, and removed', async () => {
    const { iris } = network;
    const ids: number[] = [];
    await expectReplayed(['custom_profile_fields'], async () => {
      for (const name of ['Town', 'Boss']) ids.push((await iris.call(createProfileField, { name, field_type: 1 })).id);
    });
    const [first, second] = ids as [number, number];
    await expectReplayed(['custom_profile_fields'], () =>
      iris.call(updateProfileField, { field_id: first, hint: 'Where?', display_in_profile_summary: true }),
    );
    await expectReplayed(['custom_profile_fields'], () => iris.call(reorderProfileFields, { order: [second, first] }));
    await expectReplayed(['custom_profile_fields'], () => iris.call(removeProfileField, { field_id: second }));
  });
});

describe('the data of an account', () => {
  test('hints that were seen are not shown again', async () => {
    await expectReplayed(['onboarding_steps'], () =>
      network.dan.call(completeOnboardingStep, { onboarding_step: 'intro_resolve_topic' }),
    );
  });

  test('drafts are added, replaced and removed', async () => {
    const { dan } = network;
    const draft = { type: 'private' as const, to: [network.eve.userId], topic: '', content: 'Dear Eve' };
    let ids: number[] = [];
    await expectReplayed(['drafts/add'], async () => {
      ids = (
        await dan.call(createDrafts, { drafts: [draft, { ...draft, type: '', to: [], timestamp: 1_700_000_000 }] })
      ).ids;
    });
    const draft_id = ids[1] as number;
    await expectReplayed(['drafts/update'], () =>
      dan.call(updateDraft, { draft_id, draft: { ...draft, timestamp: 4_000_000_000 } }),
    );
    await expectReplayed(['drafts/remove'], () => dan.call(deleteDraft, { draft_id }));
  });

  test('snippets are saved, changed and deleted', async () => {
    const { eve } = network;
    let saved_snippet_id = 0;
    await expectReplayed(['saved_snippets/add'], async () => {
      saved_snippet_id = (await eve.call(createSavedSnippet, { title: 'Hi', content: 'Hello!' })).saved_snippet_id;
    });
    await expectReplayed(['saved_snippets/update'], () =>
      eve.call(updateSavedSnippet, { saved_snippet_id, title: 'Greeting' }),
    );
    await expectReplayed(['saved_snippets/remove'], () => eve.call(deleteSavedSnippet, { saved_snippet_id }));
  });
});

test('the server changes to another release, and back', async () => {
  const settings = await network.dan.call(getServerSettings, {});
  const own = {
    version: settings.service_version,
    mergeBase: settings.service_merge_base,
    featureLevel: settings.service_feature_level,
  };
  await expectReplayed(['restart'], async () => {
    await network.realmService.noteRelease(newCall(), { version: '0.0.1', mergeBase: '0.0.1', featureLevel: 1 });
    await network.realmService.noteRelease(newCall(), own);
  });
});
