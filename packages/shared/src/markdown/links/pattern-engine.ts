import type { RE2JS } from 're2js';

/**
 * The engine of linkifiers' patterns: for those who check and who apply them. It is loaded with the first linkifier, as most organizations have
 * none.
 */
export function loadPatternEngine(): typeof RE2JS {
  return (require('re2js') as typeof import('re2js')).RE2JS;
}
