import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPublicAddress, outgoingAllow, parseAllowList } from './allow-list';
import { OutsideError, type Resolve } from './checked-lookup';
import { createOutsideHttp, type OutsideRequest } from './outside-http';

const servers: http.Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** The port of a server on 127.0.0.1, and the requests it got. */
async function serve(listener: RequestListener): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer((req, res) => {
    asked.push(`${req.method} ${req.headers.host} ${req.url}`);
    listener(req, res);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, asked };
}

const hello: RequestListener = (_req, res) => res.end('hello');
const redirect =
  (location: string, status = 302): RequestListener =>
  (_req, res) =>
    res.writeHead(status, { Location: location }).end();

const familyOf = (address: string) => (address.includes(':') ? 6 : 4);

/** Resolves to one list of addresses after the other, the last one from then on. */
function resolver(...answers: string[][]): { resolve: Resolve; hosts: string[] } {
  const hosts: string[] = [];
  const resolve: Resolve = async (host) => {
    hosts.push(host);
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    return addresses.map((address) => ({ address, family: familyOf(address) }));
  };
  return { resolve, hosts };
}

const ask = (url: string, allow = '', resolve?: Resolve, more: Partial<OutsideRequest> = {}) =>
  createOutsideHttp({ allow: parseAllowList(allow), ...(resolve && { resolve }) })({
    url,
    timeoutMs: 2_000,
    maxBytes: 1_000,
    ...more,
  });

const failure = (answer: Promise<unknown>) =>
  answer.then(
    () => 'an answer',
    (error) => (error instanceof OutsideError ? error.reason : String(error)),
  );

describe('addresses that users must not reach, however they are written', () => {
  test.each([
    ['loopback', '127.0.0.1', '127.1', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]'],
    ['loopback in decimal, octal and hexadecimal', '2130706433', '017700000001', '0x7f000001', '0x7f.1', '0177.0.0.1'],
    ['loopback in full-width digits and encoded dots', '１２７.０.０.１', '127%2e0%2e0%2e1', '127。0。0。1'],
    ['loopback mapped into IPv6', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]'],
    ['loopback compatible with IPv6', '[::127.0.0.1]', '[::7f00:1]'],
    ['nothing in particular', '0.0.0.0', '0', '0x0', '0.1.2.3', '[::]', '[::0]'],
    ['private networks', '10.0.0.1', '10.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '3232235521'],
    ['private networks mapped into IPv6', '[::ffff:10.0.0.1]', '[::ffff:c0a8:1]'],
    ['link-local', '169.254.0.1', '[fe80::1]', '[febf::1]'],
    ['metadata', '169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '[::ffff:a9fe:a9fe]'],
    ['metadata of other clouds', '100.100.100.200', '192.0.0.192', '168.63.129.16', '[fd00:ec2::254]'],
    ['carriers', '100.64.0.1', '100.127.255.255'],
    ['NAT64', '[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::808:808]', '[64:ff9b:1::a00:1]'],
    ['6to4 and Teredo', '[2002:7f00:1::]', '[2002:a9fe:a9fe::]', '[2001::1]', '192.88.99.1'],
    ['unique local and site-local', '[fc00::1]', '[fdff::1]', '[fec0::1]'],
    ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '[ff02::1]', '255.255.255.255'],
    ['reserved', '240.0.0.1', '254.1.2.3', '[100::1]', '[5f00::1]', '[4000::1]'],
    ['documentation and tests', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '[2001:db8::1]', '[3fff::1]'],
  ])('%s', async (_what, ...hosts) => {
    const { resolve, hosts: resolved } = resolver(['8.8.8.8']);
    for (const host of hosts) {
      expect([host, await failure(ask(`http://${host}/`, '', resolve))]).toEqual([host, 'forbidden-address']);
      expect([host, await failure(ask(`https://${host}:8443/x`, '', resolve))]).toEqual([host, 'forbidden-address']);
    }
    expect(resolved).toEqual([]);
  });

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1', '192.168.1.1'],
    ['169.254.169.254'],
    ['::1'],
    ['fe80::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::a00:1'],
    ['fd00::1', '100.64.1.1'],
    ['0.0.0.0'],
  ])('a name that resolves to %s', async (...addresses) => {
    const { resolve, hosts } = resolver(addresses);
    expect(await failure(ask('http://innocent.example/', '', resolve))).toBe('forbidden-address');
    expect(hosts).toEqual(['innocent.example']);
  });

  test.each(['http://localhost/', 'http://LOCALHOST:80/', 'http://localhost./', 'https://localhost/'])(
    '%s, as the machine resolves it',
    async (url) => {
      expect(['forbidden-address', 'no-address']).toContain(await failure(ask(url)));
    },
  );

  test('public addresses are allowed', () => {
    const addresses = ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '11.0.0.1', '100.128.0.1', '2606:4700::1111'];
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
    expect(['', 'example.com', '1.2.3.4.5', '::x'].filter(isPublicAddress)).toEqual([]);
  });
});

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/x.sock',
  '//example.com/',
  'example.com',
  '',
  'http://',
  'http://[::1/',
  'http://[fe80::1%25eth0]/',
  'http://256.256.256.256/',
  'http://user@example.com/',
  'http://user:password@example.com/',
  'http://:password@example.com/',
  'http://example.com@127.0.0.1/',
  'http://example.com:99999/',
  `http://example.com/${'x'.repeat(5_000)}`,
])('%j is not asked', async (url) => {
  const { resolve, hosts } = resolver(['8.8.8.8']);
  expect(await failure(ask(url, '', resolve))).toBe('bad-url');
  expect(hosts).toEqual([]);
});

describe('addresses in OUTGOING_ALLOW', () => {
  test('are allowed by network, address or name', async () => {
    const { port } = await serve(hello);
    const { resolve } = resolver(['127.0.0.1']);
    const [byAddress, byName] = [`http://127.0.0.1:${port}/`, `http://hooks.internal:${port}/`];
    expect((await ask(byAddress, '127.0.0.0/8')).body.toString()).toBe('hello');
    expect((await ask(byAddress, '10.0.0.0/8, 127.0.0.1')).status).toBe(200);
    expect((await ask(byName, '127.0.0.1', resolve)).status).toBe(200);
    expect((await ask(byName, 'Hooks.Internal', resolve)).status).toBe(200);
    expect(await failure(ask(byName, 'other.internal,internal,127.0.0.2', resolve))).toBe('forbidden-address');
    expect(await failure(ask(byAddress, 'hooks.internal', resolve))).toBe('forbidden-address');
  });

  test.each(['10.0.0.0/33', '300.1.1.1', 'http://host/', 'a b', '*.internal', '10.0.0.0/x', ':::'])(
    'cannot be written %j',
    (text) => {
      expect(() => parseAllowList(text)).toThrow(/is no host, address or network/);
      expect(outgoingAllow.safeParse(text).success).toBe(false);
    },
  );

  test('are none by default', () => {
    const allow = outgoingAllow.parse(undefined);
    expect([allow.allowsHost(''), allow.allowsHost('localhost'), allow.allowsAddress('127.0.0.1')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('a name that changes its meaning', () => {
  test('is resolved once for a connection, and that address is connected to', async () => {
    const { port, asked } = await serve(hello);
    const { resolve, hosts } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const url = `http://rebind.example:${port}/`;
    expect((await ask(url, '127.0.0.1', resolve)).status).toBe(200);
    expect(hosts).toHaveLength(1);
    expect(await failure(ask(url, '127.0.0.1', resolve))).toBe('forbidden-address');
    expect(asked).toEqual([`GET rebind.example:${port} /`]);
  });

  test('is requested at its permitted addresses only', async () => {
    const { port } = await serve(hello);
    const { resolve } = resolver(['64:ff9b::1', '127.0.0.1', '10.0.0.1']);
    expect((await ask(`http://mixed.example:${port}/`, '127.0.0.1', resolve)).status).toBe(200);
  });

  test('may have none', async () => {
    expect(await failure(ask('http://none.example/', '', resolver([]).resolve))).toBe('no-address');
    const broken = () => Promise.reject(new Error('SERVFAIL'));
    expect(await failure(ask('http://none.example/', '', broken))).toBe('no-address');
  });
});

describe('redirects', () => {
  test('are answers like others unless they are to be followed', async () => {
    const { port } = await serve(redirect('http://169.254.169.254/'));
    expect(await ask(`http://127.0.0.1:${port}/`, '127.0.0.1')).toMatchObject({ status: 302 });
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data/', 'forbidden-address'],
    ['http://[::ffff:a9fe:a9fe]/', 'forbidden-address'],
    ['//127.0.0.2/', 'forbidden-address'],
    ['http://inside.example/', 'forbidden-address'],
    ['file:///etc/passwd', 'bad-url'],
    ['http://user:password@example.com/', 'bad-url'],
  ])('to %s lead nowhere', async (location, reason) => {
    const { port } = await serve(redirect(location));
    const { resolve } = resolver(['10.0.0.1']);
    expect(await failure(ask(`http://127.0.0.1:${port}/`, '127.0.0.1', resolve, { maxRedirects: 3 }))).toBe(reason);
  });

  test('are followed so many times, of a GET', async () => {
    const { port, asked } = await serve((req, res) => {
      const left = Number((req.url as string).slice(1));
      if (left === 0) res.end('there');
      else redirect(`/${left - 1}`, 307)(req, res);
    });
    const at = (left: number, more: Partial<OutsideRequest>) =>
      ask(`http://127.0.0.1:${port}/${left}`, '127.0.0.1', undefined, more);
    const answer = await at(2, { maxRedirects: 2 });
    expect([answer.body.toString(), answer.url]).toEqual(['there', `http://127.0.0.1:${port}/0`]);
    expect(await failure(at(3, { maxRedirects: 2 }))).toBe('too-many-redirects');
    asked.length = 0;
    expect((await at(1, { method: 'POST', body: 'x', maxRedirects: 2 })).status).toBe(307);
    expect(asked).toHaveLength(1);
  });
});

describe('an answer', () => {
  test('comes with its status, its headers and its body', async () => {
    const { port } = await serve((req, res) => {
      res.writeHead(418, { 'X-Answer': 'yes' });
      req.pipe(res);
    });
    const more = { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } } as const;
    const answer = await ask(`http://127.0.0.1:${port}/`, '127.0.0.1', undefined, more);
    expect(answer).toMatchObject({ status: 418, headers: { 'x-answer': 'yes' } });
    expect(answer.body.toString()).toBe('{"a":1}');
  });

  test('that is too large is refused, or cut where its beginning will do', async () => {
    const { port } = await serve((_req, res) => {
      const write = (): void => {
        while (res.write('x'.repeat(10_000)));
        res.once('drain', write);
      };
      write();
    });
    const url = `http://127.0.0.1:${port}/`;
    expect(await failure(ask(url, '127.0.0.1'))).toBe('too-large');
    expect((await ask(url, '127.0.0.1', undefined, { isBeginningEnough: true })).body).toHaveLength(1_000);
  });

  test.each<[string, RequestListener]>([
    ['never begins', () => {}],
    ['never ends', (_req, res) => void res.write('x')],
    ['comes in drops', (_req, res) => void setInterval(() => res.write('x'), 20).unref()],
    ['leads on and on', (req, res) => void setTimeout(() => redirect('/')(req, res), 20)],
  ])('that %s times out', async (_what, listener) => {
    const { port } = await serve(listener);
    const more = { timeoutMs: 150, maxRedirects: 1_000 };
    expect(await failure(ask(`http://127.0.0.1:${port}/`, '127.0.0.1', undefined, more))).toBe('timeout');
  });

  test('a slow resolver times out, and the caller may abort a request', async () => {
    const silent = () => new Promise<never>(() => {});
    expect(await failure(ask('http://slow.example/', '', silent, { timeoutMs: 50 }))).toBe('timeout');
    const { port } = await serve(() => {});
    const signal = AbortSignal.timeout(30);
    expect(await failure(ask(`http://127.0.0.1:${port}/`, '127.0.0.1', undefined, { signal }))).toBe('no-connection');
  });

  test('a closed port and a server that speaks no HTTP count as no connection', async () => {
    const { port } = await serve((req) => void req.socket.end('nonsense\r\n\r\n'));
    expect(await failure(ask(`http://127.0.0.1:${port}/`, '127.0.0.1'))).toBe('no-connection');
    expect(await failure(ask('http://127.0.0.1:1/', '127.0.0.1'))).toBe('no-connection');
    expect(await failure(ask(`https://127.0.0.1:${port}/`, '127.0.0.1'))).toBe('no-connection');
  });
});
