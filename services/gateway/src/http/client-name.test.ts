import { browserName, clientNameOf, isInteractiveClient } from './client-name';

test.each([
  [undefined, undefined, 'Unspecified'],
  [undefined, '', 'Unspecified'],
  [undefined, 'ParleyMobile/27.1 (Android)', 'ParleyMobile'],
  [undefined, 'curl/8.5.0', 'curl'],
  [undefined, 'x'.repeat(40), 'x'.repeat(30)],
  ['website', 'Mozilla/5.0', 'website'],
  [`${'x'.repeat(29)}😀😀`, undefined, `${'x'.repeat(29)}😀`],
  ['\u0000bad\n', undefined, 'bad'],
])('parameter %j and User-Agent %j make the client %j', (parameter, userAgent, name) => {
  expect(clientNameOf(parameter, userAgent)).toBe(name);
});

test.each([
  ['website', true],
  ['Android', true],
  ['AcmeMobile', true],
  ['ServiceTerminal', true],
  ['My Desktop App', true],
  ['AcmePython', false],
  ['mobile', false],
  ['curl', false],
  ['Unspecified', false],
])('somebody sits in front of %s: %s', (name, isInteractive) => {
  expect(isInteractiveClient(name, ['service', 'acme'])).toBe(isInteractive);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['', 'Browser'],
])('the browser of %j is %s', (userAgent, expected) => {
  expect(browserName(userAgent)).toBe(expected);
});
