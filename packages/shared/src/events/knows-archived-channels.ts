import type { ClientView } from './declare-event';

/** Whether the client knows archived channels as such; for others they are gone. */
export function knowsArchivedChannels({ capabilities }: ClientView): boolean {
  return capabilities.includes('archived_channels');
}

/** Whether a client is told what becomes of a channel, see `isFor` of a PublicShape. */
export function seesChannel({ isArchived }: { isArchived: boolean }, view: ClientView): boolean {
  return !isArchived || knowsArchivedChannels(view);
}

/** Texts of events about several channels differ when some of them may be archived: the `variant` of their shapes. */
export function archivedVariant(view: ClientView): string {
  return knowsArchivedChannels(view) ? 'with archived' : '';
}

/** What is told again when a channel returns from the archive. */
export interface Returning {
  /** The channel is in use again: for those who lost it when it was archived. */
  isReturn?: boolean;
}

/** Whether a client is told: who knows archived channels has never lost it. See `isFor` of a PublicShape. */
export function missedIt({ isReturn = false }: Returning, view: ClientView): boolean {
  return !isReturn || !knowsArchivedChannels(view);
}
