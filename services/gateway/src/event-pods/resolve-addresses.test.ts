import { resolveAddresses } from './resolve-addresses';

test('addresses stand for themselves, once, in order', async () => {
  const list = '10.0.0.2:1,10.0.0.1:1,10.0.0.2:1,[::1]:2';
  expect(await resolveAddresses(list)).toEqual(['10.0.0.1:1', '10.0.0.2:1', '[::1]:2']);
});

test('a name stands for every address it has', async () => {
  expect(await resolveAddresses('localhost:7')).toEqual(expect.arrayContaining([expect.stringMatching(/:7$/)]));
});

test('a name that is unknown now changes nothing', async () => {
  expect(await resolveAddresses('10.0.0.1:1,no-such-host.invalid:1')).toBeNull();
});
