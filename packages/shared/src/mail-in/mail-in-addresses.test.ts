import {
  bounceAddress,
  channelAddress,
  hashMailInToken,
  mailInToken,
  parseMailInAddress,
  replyAddress,
} from './mail-in-addresses';

const TOKEN = mailInToken(Buffer.from('0123456789abcdef'));
const DOMAIN = 'chat.example';
const options = (...names: string[]) => new Set(names);

test('a token has 26 letters that survive a change of case; each bit counts', () => {
  expect(TOKEN).toMatch(/^[a-z2-7]{26}$/);
  const tokens = Array.from({ length: 128 }, (_, bit) => {
    const bytes = Buffer.alloc(16);
    bytes[bit >> 3] = 1 << (bit & 7);
    return mailInToken(bytes);
  });
  expect(new Set(tokens).size).toBe(128);
  expect(hashMailInToken(TOKEN)).toHaveLength(32);
});

test.each([
  ['a reply', replyAddress(TOKEN, DOMAIN), 'reply', []],
  ['a bounce', bounceAddress(TOKEN, DOMAIN), 'bounce', []],
  ['a channel', channelAddress('Büro & Küche', TOKEN, DOMAIN), 'channel', ['show-sender']],
  ['a channel without Latin letters', channelAddress('会議', TOKEN, DOMAIN), 'channel', ['show-sender']],
  ['capital letters', replyAddress(TOKEN, DOMAIN).toUpperCase(), 'reply', []],
  ['no name', `c${TOKEN}@${DOMAIN}`, 'channel', []],
  ['several options', `x.c${TOKEN}.include-quotes.prefer-html@${DOMAIN}`, 'channel', ['include-quotes', 'prefer-html']],
  ['a plus sign', `x+c${TOKEN}+include-footer@${DOMAIN}`, 'channel', ['include-footer']],
])('an address with %s is understood: %s', (_what, address, kind, expected) => {
  expect(parseMailInAddress(address, DOMAIN)).toEqual({ kind, token: TOKEN, options: options(...expected) });
});

test.each([
  ['another domain', `reply.r${TOKEN}@other.example`],
  ['an unknown option', `x.c${TOKEN}.loud@${DOMAIN}`],
  ['an unknown kind', `x.q${TOKEN}@${DOMAIN}`],
  ['a short token', `x.c${TOKEN.slice(1)}@${DOMAIN}`],
  ['no token', `show-sender@${DOMAIN}`],
  ['too many parts', `a.b.c${TOKEN}@${DOMAIN}`],
  ['no at sign', DOMAIN],
  ['a great length', `${'x'.repeat(400)}.c${TOKEN}@${DOMAIN}`],
])('an address with %s is none', (_what, address) => {
  expect(parseMailInAddress(address, DOMAIN)).toBeNull();
});

test('a channel’s address shows its name, within the 64 characters that servers allow', () => {
  expect(channelAddress('Büro & Küche', TOKEN, DOMAIN)).toBe(`buro-kuche.c${TOKEN}.show-sender@${DOMAIN}`);
  const [local = ''] = channelAddress('long '.repeat(12), TOKEN, DOMAIN).split('@');
  expect(local.length).toBeLessThanOrEqual(64);
  expect(local).toMatch(/^long-long-/);
});
