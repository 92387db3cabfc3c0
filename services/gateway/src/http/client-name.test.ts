import { clientNameOf, isInteractiveClient } from './client-name';

test.each([
  [undefined, undefined, 'Unspecified'],
  [undefined, '', 'Unspecified'],
  [undefined, 'ParleyMobile/27.1 (Android)', 'ParleyMobile'],
  [undefined, 'curl/8.5.0', 'curl'],
  [undefined, 'x'.repeat(40), 'x'.repeat(30)],
  ['website', 'Mozilla/5.0', 'website'],
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
