import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getRegisterState } from '../register/get-register-state';
import { MAX_DEVICES, registerClientDevice, removeClientDevice } from './client-devices';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const register = async (person: Person = olivia) => (await registerClientDevice(ctx, person)).deviceId;
const devicesOf = async (person: Person) => (await getRegisterState(ctx, person)).personal?.clientDeviceIds;

test('a device has an id, which is announced to its account only, until it is removed', async () => {
  const iago = await newUser(ctx, olivia);
  const [first, second, other] = [await register(), await register(), await register(iago)];
  expect(await devicesOf(olivia)).toEqual([first, second]);
  expect(await devicesOf(iago)).toEqual([other]);
  await removeClientDevice(ctx, olivia, { deviceId: first });
  expect(await devicesOf(olivia)).toEqual([second]);
  const events = await publicEvents(ctx, olivia, 'device');
  expect(events.map(({ audience }) => audience)).toContainEqual({ to: 'users', userIds: [iago.userId] });
  expect(events.map(({ event }) => event)).toEqual([
    ...[first, second, other].map((id) => ({ type: 'device', op: 'add', device_id: id })),
    { type: 'device', op: 'remove', device_id: first },
  ]);
});

test('others’ devices cannot be removed', async () => {
  const iago = await newUser(ctx, olivia);
  const deviceId = await register(iago);
  for (const id of [deviceId, 0, -1, 2 ** 60]) {
    await expect(removeClientDevice(ctx, olivia, { deviceId: id })).rejects.toThrow('Device does not exist');
  }
  await removeClientDevice(ctx, iago, { deviceId });
  await expect(removeClientDevice(ctx, iago, { deviceId })).rejects.toThrow('Device does not exist');
});

test('those registered longest ago make room', async () => {
  const ids: number[] = [];
  for (let count = 0; count <= MAX_DEVICES; count += 1) ids.push(await register());
  expect(await devicesOf(olivia)).toEqual(ids.slice(1));
  const removed = (await publicEvents(ctx, olivia, 'device')).filter(({ event }) => event['op'] === 'remove');
  expect(removed.map(({ event }) => event['device_id'])).toEqual(ids.slice(0, 1));
});

test('bots have no devices', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  for (const attempt of [() => register(bot), () => removeClientDevice(ctx, bot, { deviceId: 1 })]) {
    await expect(attempt()).rejects.toThrow('This endpoint does not accept bot requests.');
  }
});
