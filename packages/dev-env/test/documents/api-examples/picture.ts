import type { SentFile } from '../../multipart';

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const PICTURE: SentFile = { name: 'menu.png', type: 'image/png', bytes: Buffer.from(DOT, 'base64') };
