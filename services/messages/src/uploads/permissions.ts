import { hasReceived, type MessagePlace, mayRead, type Reader } from '../messages/permissions';

/** Whether somebody may have a file: their own, or one that a message links to which they received or may read. */
export function mayDownload(ownerId: number, places: readonly MessagePlace[], reader: Reader): boolean {
  return ownerId === reader.userId || places.some((place) => hasReceived(place, reader) || mayRead(place, reader));
}
