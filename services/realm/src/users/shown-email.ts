import type { User } from '@parley/shared/proto';
import { dummyEmail, EMAIL_VISIBLE_TO } from '@parley/shared/values';

/** The address that the API shows of an account: the real one when everyone may see it, else a made-up one. */
export function shownEmail({ id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>, visibility: number): string {
  return visibility === EMAIL_VISIBLE_TO.everyone ? deliveryEmail : dummyEmail(id);
}
