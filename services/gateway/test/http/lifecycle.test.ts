import { connectRpc } from '@parley/shared/rpc';
import { type Logger, silentLogger } from '@parley/shared/service';
import { createFakeClock, until } from '@parley/shared/testing';
import { announceRelease } from '../../src/announce-release';
import { getEvents, getOwnUser } from '../../src/endpoints';
import { serverVersion } from '../../src/http/brands';
import { eg } from '../eg';
import { startGateway } from '../gateway';
import { startRealm } from '../peers';

describe('health', () => {
  test('is good once all required services were reached; an outage for all gateways does not change it', async () => {
    const gateway = await startGateway();
    const ready = async () => gateway.request({ path: '/health/ready', as: false });
    const services = { realm: true, messages: true, events: true };
    // Like load balancers: repeats the request until a service has answered in time.
    await until(async () => (await ready()).status === 200);
    expect((await ready()).json).toEqual({ ready: true, services });
    await gateway.messages.stop();
    expect(await ready()).toMatchObject({ status: 200, json: { ready: true } });
    expect((await gateway.request({ path: '/health/live', as: false })).json).toEqual({ live: true });
    await gateway.stop();
  });

  test('the root names the address of the API', async () => {
    const gateway = await startGateway();
    expect((await gateway.request({ path: '/', as: false })).json).toMatchObject({ name: 'Parley', api: '/api/v1' });
    await gateway.stop();
  });
});

describe('a gateway that stops', () => {
  test('answers waiting polls at once, with no events', async () => {
    const gateway = await startGateway();
    const answer = gateway.call(getEvents, { queue_id: 'q1', last_event_id: 4 });
    await gateway.events.nextPoll('q1');
    await gateway.stopGateway();
    expect((await answer).json).toEqual({ result: 'success', msg: '', queue_id: 'q1', events: [] });
    await gateway.stop();
  });

  test('finishes pending requests, and accepts no new ones', async () => {
    const gateway = await startGateway();
    let release = () => {};
    const isAsked = new Promise<void>((resolve) => {
      gateway.realm.answers.getOwnUser = () => {
        resolve();
        return new Promise((answer) => {
          release = () => answer(eg.user());
        });
      };
    });
    const answer = gateway.call(getOwnUser, {});
    await isAsked;
    const stopped = gateway.stopGateway();
    await expect(gateway.request({ path: '/health/live' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release();
    expect((await answer).status).toBe(200);
    expect((await answer).headers.connection).toBe('close');
    await stopped;
    await gateway.stop();
  });
});

describe('the release', () => {
  const release = {
    version: serverVersion.service_version,
    mergeBase: serverVersion.service_merge_base,
    featureLevel: serverVersion.service_feature_level,
  };

  test('is reported to realm when a gateway has started', async () => {
    const gateway = await startGateway();
    expect(gateway.realm.last('noteRelease')).toEqual(release);
    await gateway.stop();
  });

  test('is reported again until realm has accepted it', async () => {
    const [clock, realm] = [createFakeClock(), await startRealm()];
    const { noteRelease } = realm.answers;
    realm.answers.noteRelease = () => Promise.reject(new Error('not today'));
    const connection = connectRpc('realm', realm.address);
    const failed = new Promise<void>((resolve) => {
      const log: Logger = Object.assign(silentLogger.child({}), { warn: () => setImmediate(resolve) });
      announceRelease({ realm: connection.client, clock, log });
    });
    await failed;
    realm.answers.noteRelease = noteRelease;
    clock.advance(5_000);
    await realm.releaseReported;
    expect(realm.seen.map(({ method, request }) => [method, request])).toEqual([
      ['noteRelease', release],
      ['noteRelease', release],
    ]);
    connection.close();
    await realm.stop();
  });
});
