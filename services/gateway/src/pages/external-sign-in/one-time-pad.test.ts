import { createDecipheriv, webcrypto } from 'node:crypto';
import { hideKey, readPads, seal } from './one-time-pad';

const PAD = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const KEY = 'abcdefghijklmnopqrstuvwxyz012345';

const padsOf = (sent: Record<string, string>) => readPads(new Map(Object.entries(sent)));

describe('a pad', () => {
  test.each([PAD, PAD.toUpperCase(), 'f'.repeat(64)])('is 64 hex digits: %s', (pad) => {
    expect(padsOf({ mobile_flow_otp: pad })).toEqual({ phone: pad, desktop: undefined });
    expect(padsOf({ desktop_flow_otp: pad })).toEqual({ phone: undefined, desktop: pad });
  });

  test.each(['', 'f'.repeat(63), 'f'.repeat(65), 'g'.repeat(64), ` ${'f'.repeat(63)}`, `${'f'.repeat(64)}\n`])(
    'is nothing else: %j',
    (pad) => {
      expect(() => padsOf({ mobile_flow_otp: pad })).toThrow('Invalid OTP');
      expect(() => padsOf({ desktop_flow_otp: pad })).toThrow('Invalid OTP');
    },
  );

  test('is of a phone or of a desktop', () => {
    const both = { mobile_flow_otp: PAD, desktop_flow_otp: PAD };
    expect(() => padsOf(both)).toThrow("Can't use both mobile_flow_otp and desktop_flow_otp together.");
    expect(() => padsOf({ ...both, mobile_flow_otp: 'f' })).toThrow('Invalid OTP');
    expect(padsOf({})).toEqual({ phone: undefined, desktop: undefined });
  });
});

test('a key is combined with the pad byte by byte', () => {
  // Each byte is that of the key's character, xor that of the pad.
  const bytes = [
    ...[0x61, 0x63, 0x61, 0x67, 0x61, 0x63, 0x61, 0x6f, 0x61, 0x63, 0x61, 0x67, 0x61, 0x63, 0x61, 0x7f],
    ...[0x61, 0x63, 0x61, 0x67, 0x61, 0x63, 0x61, 0x6f, 0x61, 0x63, 0x2a, 0x2a, 0x2e, 0x2e, 0x2a, 0x2a],
  ];
  expect(hideKey(KEY, PAD)).toBe(Buffer.from(bytes).toString('hex'));
  expect(hideKey(KEY, '0'.repeat(64))).toBe(Buffer.from(KEY).toString('hex'));
  expect(hideKey(KEY, PAD.toUpperCase())).toBe(hideKey(KEY, PAD));
});

test('a key of another length is not cut off', () => {
  expect(() => hideKey(KEY.slice(1), PAD)).toThrow('not as long as the pad');
});

test('what is sealed is read by a desktop’s program, and by a page', async () => {
  const sealed = Buffer.from(seal(KEY, PAD), 'hex');
  expect(sealed).toHaveLength(12 + KEY.length + 16);
  const [iv, ciphertext] = [sealed.subarray(0, 12), sealed.subarray(12)];
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(PAD, 'hex'), iv);
  decipher.setAuthTag(ciphertext.subarray(-16));
  expect(Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]).toString()).toBe(KEY);
  const key = await webcrypto.subtle.importKey('raw', Buffer.from(PAD, 'hex'), 'AES-GCM', false, ['decrypt']);
  const text = await webcrypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, ciphertext);
  expect(Buffer.from(text).toString()).toBe(KEY);
});

test('no initialization vector is used twice', () => {
  expect(seal(KEY, PAD).slice(0, 24)).not.toBe(seal(KEY, PAD).slice(0, 24));
});
