import { createHmac } from 'node:crypto';
import type { ImageProxy } from '../facts';

/** Where a browser gets a picture of another site: through the proxy when there is one. */
export function proxied(url: string, proxy: ImageProxy | undefined): string {
  if (!proxy) return url;
  const signature = createHmac('sha1', proxy.key).update(url).digest('hex');
  return `${proxy.url}${signature}/${Buffer.from(url).toString('hex')}`;
}
