import { failedAddresses } from './delivery-report';

const POSTFIX = `Reporting-MTA: dns; mx.example.net
X-Postfix-Queue-ID: 4F3
Arrival-Date: Mon,  3 Nov 2025 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; bo@example.org
Original-Recipient: rfc822;bo@example.org
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; 550 5.1.1 <bo@example.org>: Recipient address
    rejected: User unknown
`;

test('an address that does not exist is reported with the server’s words', () => {
  const reason = '550 5.1.1 <bo@example.org>: Recipient address rejected: User unknown';
  expect(failedAddresses(POSTFIX)).toEqual([{ address: 'bo@example.org', reason }]);
  expect(failedAddresses(POSTFIX.replaceAll('\n', '\r\n'))).toEqual([{ address: 'bo@example.org', reason }]);
});

test('of a forwarded mail it is the address that was written to; without words the status is told', () => {
  const status =
    'Reporting-MTA: dns; a\n\nOriginal-Recipient: rfc822;<bo@here.example>\nFinal-Recipient: rfc822; bo@there.example\nAction: Failed\nStatus: 5.0.0\n';
  expect(failedAddresses(status)).toEqual([{ address: 'bo@here.example', reason: 'status 5.0.0' }]);
});

test.each([
  ['delayed', 'Action: failed', 'Action: delayed'],
  ['failed for now', 'Status: 5.1.1', 'Status: 4.4.1'],
  ['of a full mailbox', 'Status: 5.1.1', 'Status: 5.2.2'],
  ['of a mail that is too large', 'Status: 5.1.1', 'Status: 5.3.4'],
  ['refused for its content', 'Status: 5.1.1', 'Status: 5.7.1'],
  ['without an address', /.*-Recipient: .*\n/g, ''],
  ['without a status', 'Status: 5.1.1', ''],
])('a mail that is %s ends nothing', (_what, from, to) => {
  expect(failedAddresses(POSTFIX.replace(from, to))).toEqual([]);
});

test('hostile reports are bounded', () => {
  expect(failedAddresses(POSTFIX.repeat(1_000)).length).toBeLessThanOrEqual(20);
  expect(failedAddresses(`${'\n \n'.repeat(100_000)}`)).toEqual([]);
});
