import { signal } from '@preact/signals';
import { hashOf, type Narrow, type Place, placeAt } from '../narrow/narrow';
import { channelName } from './model';

const START: Place = { narrow: { kind: 'inbox' } };

/** Where the person is: the address says it, so links, the back button and reloading work. */
export const place = signal<Place>(placeAt(location.hash) ?? START);

addEventListener('hashchange', () => {
  const found = placeAt(location.hash);
  if (found) place.value = found;
});

export function addressOf(narrow: Narrow, nearId?: number): string {
  return hashOf(nearId === undefined ? { narrow } : { narrow, nearId }, channelName);
}

export function go(narrow: Narrow, nearId?: number): void {
  location.hash = addressOf(narrow, nearId);
}
