import type { keys as english } from '../en/keys';

export const keys: typeof english = {
  keyboard: 'Tastenkürzel',
};
