import type { ClientView } from './declare-event';

/** Whether the client knows archived channels as such; for others they are gone. */
export function knowsArchivedChannels({ capabilities }: ClientView): boolean {
  return capabilities.includes('archived_channels');
}

/** Whether a client is told what becomes of a channel, see `isFor` of a PublicShape. */
export function seesChannel({ isArchived }: { isArchived: boolean }, view: ClientView): boolean {
  return !isArchived || knowsArchivedChannels(view);
}
