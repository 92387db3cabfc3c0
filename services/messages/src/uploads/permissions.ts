import { type MessagePlace, maySee, type Reader } from '../messages/permissions';

/** Whether somebody may have a file: their own, or one that a message links to which they may see now. */
export function mayDownload(ownerId: number, places: readonly MessagePlace[], reader: Reader): boolean {
  return ownerId === reader.userId || places.some((place) => maySee(place, reader));
}
