import { startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const page = () => gateway.request({ path: '/', as: false, headers: BROWSER });

/** The addresses of the files that the page names. */
const filesOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g)].map(([, path]) => path as string);

async function fetchFile(path: string, acceptEncoding: string) {
  const { address } = gateway;
  const response = await fetch(`http://${address}${path}`, { headers: { 'accept-encoding': acceptEncoding } });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('browsers get the client at /, under a policy that lets nothing else run; programs get a greeting', async () => {
  const { status, headers, text } = await page();
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'/,
    ),
  });
  expect(headers['set-cookie']).toBeUndefined();
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  const { json } = await gateway.request({ path: '/', as: false });
  expect(json).toMatchObject({ name: 'Parley', api: '/api/v1' });
});

test('a browser that has the page is told that it has not changed', async () => {
  const { etag } = (await page()).headers;
  const again = await gateway.request({
    path: '/',
    as: false,
    headers: { ...BROWSER, 'If-None-Match': etag as string },
  });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('the files of the page may be kept for ever, and are compressed for browsers that can read it', async () => {
  const files = filesOf((await page()).text);
  expect(files.map((file) => file.replace(/-[\w-]{8}(?=\.)/, ''))).toEqual(
    expect.arrayContaining(['/web/assets/index.js', '/web/assets/start.js', '/web/assets/index.css']),
  );
  const sizes = { plain: 0, small: 0 };
  for (const file of files) {
    const plain = await fetchFile(file, 'identity');
    const small = await fetchFile(file, 'gzip, br');
    expect(plain.response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.response.headers.get('content-encoding')).toBeNull();
    expect(small.response.headers.get('content-encoding')).toBe('br');
    expect(small.response.headers.get('vary')).toContain('Accept-Encoding');
    expect(small.bytes.equals(plain.bytes)).toBe(true);
    sizes.plain += plain.bytes.length;
    sizes.small += Number(small.response.headers.get('content-length'));
  }
  expect(sizes.small).toBeLessThan(sizes.plain / 2);
});

test('before the first view scripts have at most 110 KB, and styles 15 KB', async () => {
  const bytes = { js: 0, css: 0 };
  for (const file of filesOf((await page()).text)) {
    const { response } = await fetchFile(file, 'br');
    bytes[file.endsWith('.css') ? 'css' : 'js'] += Number(response.headers.get('content-length'));
  }
  expect(bytes.js).toBeLessThan(110_000);
  expect(bytes.css).toBeLessThan(15_000);
});

test.each(['/web/assets/none.js', '/web/assets/', '/web/', '/web/assets/..%2Findex.html', '/web/index.html'])(
  'there is no file at %s',
  async (path) => {
    expect((await gateway.request({ path, as: false })).status).toBe(404);
  },
);

test('the compressed form of a file has no address of its own', async () => {
  const [file] = filesOf((await page()).text);
  expect((await gateway.request({ path: `${file}.br`, as: false })).status).toBe(404);
});
