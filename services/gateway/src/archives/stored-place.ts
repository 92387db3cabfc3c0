import { BadRequestError } from '@parley/shared/errors';
import { isPathId } from '../uploads/path-id';
import { ANIMATED, STILL } from '../uploads/picture';
import { uploadKeys } from '../uploads/upload-store';

const FORMATS: readonly string[] = [STILL, ANIMATED];

/**
 * The store key of an archive's file, by its entry's name. Throws unless it is a file or a thumbnail of the archive's organization:
 * archives are untrusted input and may write nowhere else.
 */
export function storedPlace(name: string, { from, to }: { from: number; to: number }): string {
  const { pathId, format } = partsOf(name);
  const isKnown = format === undefined || FORMATS.includes(format);
  if (!isKnown || !isPathId(pathId) || !pathId.startsWith(`${from}/`)) {
    throw new BadRequestError(`the archive holds no file of its organization: ${JSON.stringify(name)}`);
  }
  const moved = `${to}${pathId.slice(String(from).length)}`;
  return format === undefined ? uploadKeys.file(moved) : uploadKeys.thumbnail(moved, format);
}

function partsOf(name: string): { pathId: string; format?: string } {
  const [, kind, place] = /^(files|thumbnails)\/(.+)$/s.exec(name) ?? [];
  if (place === undefined) throw new BadRequestError(`the archive holds something unknown: ${JSON.stringify(name)}`);
  if (kind === 'files') return { pathId: place };
  const end = place.lastIndexOf('/');
  return { pathId: place.slice(0, Math.max(end, 0)), format: place.slice(end + 1) };
}
