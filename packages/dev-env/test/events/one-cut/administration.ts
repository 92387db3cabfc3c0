import {
  addAllowedDomain,
  addPlayground,
  addSubmessage,
  changeDefaultChannelGroupChannels,
  completeOnboardingStep,
  createDefaultChannelGroup,
  deactivateCustomEmoji,
  deactivateUser,
  deleteAttachment,
  getAttachments,
  reactivateUser,
  registerClientDevice,
  registerQueue,
  removeAllowedDomain,
  removeClientDevice,
  removeDefaultChannelGroup,
  removePlayground,
  sendMessage,
  subscribe,
  updateAllowedDomain,
  updateUser,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { ONBOARDING_STEPS, ROLES } from '@parley/shared/values';
import type { TestClient, TestNetwork } from '../../../src';
import type { AddedThings } from './added-things';

export interface Administering {
  network: TestNetwork;
  pick: (below: number) => number;
  kept: AddedThings;
  someone: TestClient;
  /** For something new. */
  name: string;
  channel: { name: string; id: number };
}

type Changes = Record<string, () => Promise<unknown>>;

/** Occasional changes of an organization and its people. */
export function administration(tools: Administering): Changes {
  return { ...ofPeople(tools), ...ofLists(tools), ...ofAccounts(tools) };
}

/** Observed users keep their roles and stay active: queues end with guests and deactivated people. */
function ofPeople({ network, pick, kept, name, channel }: Administering): Changes {
  const { iris, dan, eve } = network;
  const roles = [ROLES.member, ROLES.moderator, ROLES.guest];
  return {
    hire: () =>
      kept.keep('person', iris, async () => {
        if (kept.count('person') > 5) throw new Error('enough people');
        const account = { subdomain: '', email: `${name}@example.com`, fullName: name, role: ROLES.member };
        return (await network.realmService.createUser(newCall(), account)).userId;
      }),
    place: () =>
      kept.change('person', (_, userId) =>
        iris.call(subscribe, { subscriptions: [{ name: channel.name }], principals: [userId] }),
      ),
    dismiss: () => kept.change('person', (_, user_id) => iris.call(deactivateUser, { user_id })),
    rehire: () => kept.change('person', (_, user_id) => iris.call(reactivateUser, { user_id })),
    demote: () =>
      kept.change('person', (_, user_id) => iris.call(updateUser, { user_id, role: roles[pick(3)] as number })),
    promote: () =>
      iris.call(updateUser, {
        user_id: [dan, eve][pick(2)]?.userId as number,
        role: [ROLES.member, ROLES.moderator, ROLES.administrator][pick(3)] as number,
      }),
  };
}

function ofLists({ network, pick, kept, name, channel }: Administering): Changes {
  const { iris } = network;
  const domain = `d${pick(3)}.example`;
  return {
    draw: () => upload(iris, `/realm/emoji/${name}`, 'a.png', PNG),
    erase: async () => {
      const { realm_emoji } = await iris.call(registerQueue, { fetch_event_types: ['realm_emoji'] });
      const drawn = Object.values(realm_emoji as Record<string, { name: string; deactivated: boolean }>);
      const emoji_name = drawn.find(({ deactivated }) => !deactivated)?.name ?? '';
      await iris.call(deactivateCustomEmoji, { emoji_name });
    },
    allow: () => iris.call(addAllowedDomain, { domain, allow_subdomains: false }),
    reallow: () => iris.call(updateAllowedDomain, { domain, allow_subdomains: pick(2) === 0 }),
    disallow: () => iris.call(removeAllowedDomain, { domain }),
    play: () =>
      kept.keep('playground', iris, async () => {
        const url_template = 'https://example.com/?c={code}';
        return (await iris.call(addPlayground, { name, pygments_language: 'Python', url_template })).id;
      }),
    unplay: () => kept.remove('playground', (who, playground_id) => who.call(removePlayground, { playground_id })),
    bundle: () =>
      kept.keep('bundle', iris, async () => {
        const bundle = { group_name: name, description: '', stream_names: [channel.name] };
        await iris.call(createDefaultChannelGroup, bundle);
        const { realm_default_stream_groups: groups } = await iris.call(registerQueue, {
          fetch_event_types: ['default_stream_groups'],
        });
        return groups?.find((group) => group.name === name)?.id as number;
      }),
    rebundle: () =>
      kept.change('bundle', (who, group_id) =>
        who.call(changeDefaultChannelGroupChannels, { group_id, op: 'add', stream_names: [channel.name] }),
      ),
    unbundle: () => kept.remove('bundle', (who, group_id) => who.call(removeDefaultChannelGroup, { group_id })),
  };
}

function ofAccounts({ pick, kept, someone, channel }: Administering): Changes {
  return {
    connect: () => kept.keep('device', someone, async () => (await someone.call(registerClientDevice, {})).device_id),
    disconnect: () => kept.remove('device', (who, device_id) => who.call(removeClientDevice, { device_id })),
    learn: () =>
      someone.call(completeOnboardingStep, {
        onboarding_step: ONBOARDING_STEPS[pick(ONBOARDING_STEPS.length)] as (typeof ONBOARDING_STEPS)[number],
      }),
    upload: () => upload(someone, '/user_uploads', 'n.txt', 'A note'),
    discard: async () => {
      const { attachments } = await someone.call(getAttachments, {});
      await someone.call(deleteAttachment, { attachment_id: attachments[0]?.id ?? 0 });
    },
    poll: () =>
      kept.keep('poll', someone, async () => {
        const poll = { type: 'channel', to: channel.id, topic: 'polls', content: '/poll Lunch?\nsoup' } as const;
        return (await someone.call(sendMessage, poll)).id;
      }),
    vote: () =>
      kept.change('poll', (who, message_id) =>
        who.call(addSubmessage, {
          message_id,
          msg_type: 'widget',
          content: `{"type":"vote","key":"canned,0","vote":${[1, -1][pick(2)]}}`,
        }),
      ),
  };
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(client: TestClient, path: string, fileName: string, content: Buffer | string): Promise<void> {
  const head = `--B\r\nContent-Disposition: form-data; name="f"; filename="${fileName}"\r\n`;
  const type = `Content-Type: ${fileName.endsWith('png') ? 'image/png' : 'text/plain'}\r\n\r\n`;
  const body = Buffer.concat([head, type, content, '\r\n--B--\r\n'].map((part) => Buffer.from(part as string)));
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const { json } = await client.callRaw({ method: 'POST', path: `/api/v1${path}`, headers, body });
  if (json['result'] !== 'success') throw new Error(`${path} refused ${fileName}`);
}
