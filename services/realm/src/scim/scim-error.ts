import { PublicError } from '@parley/shared/errors';

/** SCIM's names of what was wrong (RFC 7644, section 3.12). */
type ScimType = 'invalidFilter' | 'uniqueness' | 'invalidSyntax' | 'invalidPath' | 'noTarget' | 'invalidValue';

/** An error in SCIM's own words: a status, a type where SCIM has one, and a text for people. */
export function scimError(httpStatus: number, scimType: ScimType | null, detail: string): PublicError {
  return new PublicError('SCIM_ERROR', httpStatus, detail, scimType === null ? {} : { scimType });
}

export const invalidValue = (detail: string) => scimError(400, 'invalidValue', detail);

export const notFound = (kind: string, id: string) => scimError(404, null, `There is no ${kind} ${id.slice(0, 40)}`);

export const taken = (detail: string) => scimError(409, 'uniqueness', detail);
