import { BadRequestError } from '@parley/shared/errors';
import type { PersonalFlag } from './personal-flags.sql';

/** A flag that users set themselves, and whether it is set or taken off. */
export interface FlagChange {
  op: 'add' | 'remove';
  flag: 'read' | PersonalFlag;
}

const EDITABLE = ['read', 'starred', 'collapsed'];
const OTHERS = [
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'group_mentioned',
  'has_alert_word',
  'historical',
  'force_expand',
  'force_collapse',
];

/** Throws for what is no flag, what nobody sets by hand, and what is no operation, in this order. */
export function flagChangeOf({ flag, op }: { flag: string; op: string }): FlagChange {
  if (!EDITABLE.includes(flag) && !OTHERS.includes(flag)) throw new BadRequestError(`Invalid flag: '${flag}'`);
  if (!EDITABLE.includes(flag)) throw new BadRequestError(`Flag not editable: '${flag}'`);
  if (op !== 'add' && op !== 'remove') throw new BadRequestError(`Invalid message flag operation: '${op}'`);
  return { flag: flag as FlagChange['flag'], op };
}
