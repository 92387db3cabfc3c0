import path from 'node:path';

/** A service's compiled door. By its path, not its package's name, which tests map to the sources. */
export function mainOf(service: string): string {
  return path.resolve(__dirname, '../../../../services', service, 'dist/main.js');
}
