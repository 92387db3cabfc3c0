import {
  addApnsToken,
  addFcmToken,
  addNavigationView,
  addWebPushSubscription,
  createBigBlueButtonCall,
  createBot,
  createZoomCall,
  deactivateBot,
  deleteQueue,
  getBotApiKey,
  getBotSigningSecret,
  getBotStorage,
  getEvents,
  getNavigationViews,
  getWebPushSubscriptions,
  listOwnBots,
  putBotStorage,
  regenerateBotApiKey,
  registerClientDevice,
  registerPushDevice,
  registerQueue,
  removeApnsToken,
  removeBotStorage,
  removeClientDevice,
  removeFcmToken,
  removeNavigationView,
  removeWebPushSubscription,
  sendEncryptedTestPush,
  sendMessage,
  sendTestPush,
  updateBot,
  updateNavigationView,
} from '@parley/gateway/endpoints';
import { vapidKeys } from '../../away/push-service';
import type { Tour } from './tour';

/** A client's queue of events. */
export async function showEvents({ network: { dan, eve, settle }, recorder }: Tour): Promise<void> {
  const types = ['message'];
  // Earlier events must not be in the queue.
  await settle();
  const registered = await recorder.show(eve, registerQueue, { event_types: types, fetch_event_types: types });
  const queue_id = registered.queue_id as string;
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup?' });
  await recorder.show(eve, getEvents, { queue_id, last_event_id: registered.last_event_id as number });
  await recorder.show(eve, deleteQueue, { queue_id });
}

export async function showBots({ network: { dan, clientOf }, recorder }: Tour): Promise<void> {
  const bot = {
    full_name: 'Menu bot',
    short_name: 'menu',
    bot_type: 3,
    payload_url: 'https://bots.example.com/menu',
    interface_type: 1,
  };
  const { user_id: bot_id, api_key: apiKey } = await recorder.show(dan, createBot, bot);
  const { bots } = await recorder.show(dan, listOwnBots, {});
  const menu = clientOf({
    realmId: dan.realmId,
    userId: bot_id,
    email: (bots.at(-1) as { username: string }).username,
    apiKey,
  });
  await recorder.show(menu, putBotStorage, { storage: { dish: 'soup' } });
  await recorder.show(menu, getBotStorage, { keys: ['dish'] });
  await recorder.show(menu, removeBotStorage, { keys: ['dish'] });
  await recorder.show(dan, updateBot, { bot_id, full_name: 'Lunch bot' });
  await recorder.show(dan, getBotApiKey, { bot_id });
  await recorder.show(dan, getBotSigningSecret, { bot_id });
  await recorder.show(dan, regenerateBotApiKey, { bot_id });
  await recorder.show(dan, deactivateBot, { bot_id });
}

/** Data that clients store, and how their devices are reached. */
export async function showDevices({ network: { dan }, recorder }: Tour): Promise<void> {
  const fragment = 'narrow/channel/1-general/topic/lunch';
  await recorder.show(dan, addNavigationView, { fragment, is_pinned: true, name: 'Lunch' });
  await recorder.show(dan, updateNavigationView, { fragment, is_pinned: false });
  await recorder.show(dan, getNavigationViews, {});
  await recorder.show(dan, removeNavigationView, { fragment });

  const [apns, fcm] = ['c0ffee', 'fcm-example-token'];
  await recorder.show(dan, addApnsToken, { token: apns, appid: 'org.example.parley' });
  await recorder.show(dan, addFcmToken, { token: fcm });
  await recorder.tell(dan, sendTestPush, { token: fcm }, {});
  await recorder.tell(dan, sendEncryptedTestPush, {}, {});
  const endpoint = 'https://push.example.com/browser/1234';
  const subscription = { endpoint, p256dh: vapidKeys().publicKey, auth: 'YSBzZWNyZXQgb2YgMTYgYg' };
  await recorder.show(dan, addWebPushSubscription, subscription);
  await recorder.show(dan, getWebPushSubscriptions, {});
  await recorder.show(dan, removeWebPushSubscription, { endpoint });
  const { device_id } = await recorder.show(dan, registerClientDevice, {});
  const keys = {
    push_key_id: 1,
    push_key: 'MXB1c2gga2V5',
    token_id: 'dG9rZW4gaWQ=',
    bouncer_public_key: 'Ym91bmNlcg==',
    encrypted_push_registration: 'c2VhbGVk',
  };
  await recorder.tell(dan, registerPushDevice, { token_kind: 'fcm', device_id, ...keys }, {});
  await recorder.show(dan, removeClientDevice, { device_id });
  await recorder.show(dan, removeApnsToken, { token: apns });
  await recorder.show(dan, removeFcmToken, { token: fcm });
}

/** Calls take a provider, which is not part of the network. */
export async function showCalls({ network: { dan }, recorder }: Tour): Promise<void> {
  await recorder.tell(dan, createZoomCall, { is_video_call: true }, { url: 'https://zoom.example.com/j/1234567890' });
  const meeting = { meeting_name: 'general > lunch', voice_only: false };
  await recorder.tell(dan, createBigBlueButtonCall, meeting, { url: '/calls/bigbluebutton/join?meeting=lunch' });
}
