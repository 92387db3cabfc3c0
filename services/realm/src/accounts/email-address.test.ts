import { objectionToEmail } from './email-address';

const domains = [
  { domain: 'acme.example', allowsSubdomains: false },
  { domain: 'zeta.example', allowsSubdomains: true },
];
const settings = (isRestricted: boolean, areDisposableRefused = true) => ({
  emails_restricted_to_domains: isRestricted,
  disallow_disposable_email_addresses: areDisposableRefused,
});

test.each([
  ['dan@acme.example', null],
  ['dan@ACME.example', null],
  ['dan@sub.acme.example', 'domain'],
  ['dan@sub.zeta.example', null],
  ['dan@xzeta.example', 'domain'],
  ['dan@mailinator.com', 'domain'],
  ['dan+1@acme.example', 'plus'],
])('where some domains are allowed, %s: %p', (email, objection) => {
  expect(objectionToEmail(email, { settings: settings(true), domains })).toBe(objection);
});

test.each([
  ['dan@anywhere.example', null],
  ['dan+1@anywhere.example', null],
  ['dan@Mailinator.com', 'disposable'],
  ['dan@mx.mailinator.com', 'disposable'],
  ['dan@notreallymailinator.com', null],
])('where all are, %s: %p', (email, objection) => {
  expect(objectionToEmail(email, { settings: settings(false), domains: [] })).toBe(objection);
});

test('organizations may take disposable addresses', () => {
  expect(objectionToEmail('dan@mailinator.com', { settings: settings(false, false), domains: [] })).toBeNull();
});
