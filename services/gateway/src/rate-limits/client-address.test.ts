import { clientAddress, trustedProxies } from './client-address';

const PROXIES = trustedProxies.parse('10.0.0.0/8, 192.0.2.1,fd00::/8');

const addressOf = (remoteAddress: string | undefined, forwarded?: string) =>
  clientAddress(
    { socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } },
    PROXIES,
  );

test.each([
  ['who connects', '203.0.113.5', undefined, '203.0.113.5'],
  ['who connects, in the clothes of IPv6', '::ffff:203.0.113.5', undefined, '203.0.113.5'],
  ['of IPv6 the network', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['of IPv6 the network, in another place of it', '2001:db8:1:2::1', undefined, '2001:db8:1:2::/64'],
  ['who connects, whatever they claim', '203.0.113.5', '198.51.100.7', '203.0.113.5'],
  ['what a proxy says', '10.1.2.3', '198.51.100.7', '198.51.100.7'],
  ['what a proxy says, over IPv6', 'fd00::7', '2001:db8::1', '2001:db8:0:0::/64'],
  ['what a proxy in the clothes of IPv6 says', '::ffff:10.1.2.3', '198.51.100.7', '198.51.100.7'],
  ['what the outermost of several proxies says', '10.1.2.3', '198.51.100.7, 192.0.2.1', '198.51.100.7'],
  ['not what was written before', '10.1.2.3', '1.1.1.1, 198.51.100.7, 10.9.9.9', '198.51.100.7'],
  ['the proxy, when it says nothing', '10.1.2.3', undefined, '10.1.2.3'],
  ['the proxy, when it says nonsense', '10.1.2.3', '1.1.1.1, nobody', '10.1.2.3'],
  ['the farthest, when all are proxies', '10.1.2.3', '10.4.5.6', '10.4.5.6'],
  ['nobody, when the connection is gone', undefined, '1.1.1.1', 'unknown'],
])('it is %s', (_case, remote, forwarded, expected) => {
  expect(addressOf(remote, forwarded)).toBe(expected);
});

test.each([
  [0, '1.1.1.1', '203.0.113.5'],
  [1, '1.1.1.1, 198.51.100.7', '198.51.100.7'],
  [2, '1.1.1.1, 198.51.100.7, 192.0.2.1', '198.51.100.7'],
  [3, '198.51.100.7', '198.51.100.7'],
  [1, undefined, '203.0.113.5'],
])('of %i proxies, wherever they ask from, and the header %s it is %s', (hops, forwarded, expected) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  expect(clientAddress({ socket: { remoteAddress: '203.0.113.5' }, headers }, hops)).toBe(expected);
});

describe('the setting', () => {
  test.each([
    ['', []],
    [' 2 ', 2],
    ['192.0.2.1', [expect.anything()]],
  ])('%j is read', (text, expected) => {
    expect(trustedProxies.parse(text)).toEqual(expected);
  });

  test('is empty by default: no proxy is trusted', () => {
    expect(trustedProxies.parse(undefined)).toEqual([]);
  });

  test.each([
    ['proxy', '"proxy" is none of these'],
    ['1,10.0.0.0/8', '"1" is none of these'],
    ['10.0.0.0/33', '"10.0.0.0/33" is none of these'],
    ['-1', '"-1" is none of these'],
    ['11', '"11" is too many'],
  ])('%j is refused', (text, message) => {
    expect(trustedProxies.safeParse(text).error?.issues[0]?.message).toContain(message);
  });
});
