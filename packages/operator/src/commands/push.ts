import { createECDH, randomBytes } from 'node:crypto';
import { command } from '../command/command';

const SECRET_BYTES = 32;

/** Keys for notifications, in the form of settings. */
export const pushKeys = command({
  services: [],
  summary:
    'makes keys for notifications: VAPID_PRIVATE_KEY switches on those of browsers, PUSH_GATEWAY_KEY signs those for phones; nothing is stored',
  options: {},
  async run() {
    const pair = createECDH('prime256v1');
    const publicKey = pair.generateKeys('base64url');
    // Leading zeros belong to the key.
    const privateKey = pair.getPrivateKey('hex').padStart(2 * SECRET_BYTES, '0');
    return {
      VAPID_PRIVATE_KEY: Buffer.from(privateKey, 'hex').toString('base64url'),
      PUSH_GATEWAY_KEY: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
      vapid_public_key: publicKey,
    };
  },
});
