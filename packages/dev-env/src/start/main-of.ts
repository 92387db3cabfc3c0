import path from 'node:path';

/** The folder that has packages/ and services/. */
export const CHECKOUT = path.resolve(__dirname, '../../../..');

/** A service's compiled main.js. By its path, not its package's name, which tests map to the sources. */
export function mainOf(service: string, checkout = CHECKOUT): string {
  return path.join(checkout, 'services', service, 'dist/main.js');
}
