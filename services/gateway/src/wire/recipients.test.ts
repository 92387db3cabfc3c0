import { decodeRecipients } from './recipients';

describe('to, for a channel message', () => {
  test.each([
    ['7', { channelId: 7 }],
    ['[7]', { channelId: 7 }],
    ['"7"', { channelName: '7' }],
    ['social', { channelName: 'social' }],
    ['"social"', { channelName: 'social' }],
    ['["social"]', { channelName: 'social' }],
    ['  social life ', { channelName: 'social life' }],
    ['', { channelName: '' }],
    [undefined, {}],
  ])('%s', (to, channel) => {
    expect(decodeRecipients(false, to)).toEqual({ isDirect: false, recipientIds: [], recipientEmails: [], ...channel });
  });

  test.each([
    ['[]', 'Expected exactly one channel'],
    ['[1,2]', 'Expected exactly one channel'],
    ['null', 'Invalid data type for channel'],
    ['{}', 'Invalid data type for channel'],
    ['1.5', 'Invalid data type for channel'],
    ['true', 'Invalid data type for channel'],
    ['1e30', 'Invalid data type for channel'],
    ['[[1]]', 'Invalid data type for channel'],
    ['a\u0000', 'to must not contain null bytes'],
  ])('%s is refused', (to, message) => {
    expect(() => decodeRecipients(false, to)).toThrow(new Error(message));
  });
});

describe('to, for a direct message', () => {
  test.each([
    ['[9,10,9]', { recipientIds: [9, 10] }],
    ['["a@x"," b@x ","","a@x"]', { recipientEmails: ['a@x', 'b@x'] }],
    ['a@x, b@x', { recipientEmails: ['a@x', 'b@x'] }],
    ['"a@x,b@x"', { recipientEmails: ['a@x', 'b@x'] }],
    ['[]', {}],
    [undefined, {}],
  ])('%s', (to, recipients) => {
    expect(decodeRecipients(true, to)).toEqual({
      isDirect: true,
      recipientIds: [],
      recipientEmails: [],
      ...recipients,
    });
  });

  test.each([
    ['[9,"a@x"]', 'Recipient lists may contain emails or user IDs, but not both.'],
    ['["a@x",9]', 'Recipient lists may contain emails or user IDs, but not both.'],
    ['9', 'Invalid data type for recipients'],
    ['{}', 'Invalid data type for recipients'],
    ['null', 'Invalid data type for recipients'],
    ['[true]', 'Invalid data type for recipients'],
  ])('%s is refused', (to, message) => {
    expect(() => decodeRecipients(true, to)).toThrow(new Error(message));
  });
});
