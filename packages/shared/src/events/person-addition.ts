import type { User } from '../proto';
import { publicUser } from '../wire';
import type { Audience } from './audience';
import type { ClientView, PublicShape } from './declare-event';

interface Addition {
  user: User;
}

/** The public event `realm_user` that tells of a user whom somebody did not know; with the real address or without it. */
export function personAddition<Payload extends Addition>(
  audience: (payload: Payload) => Audience,
  isDeliveryEmailShown: boolean,
): PublicShape<Payload> {
  return {
    type: 'realm_user',
    audience,
    variant: ({ clientGravatar }) => String(clientGravatar),
    render: (payload, view) => ({ type: 'realm_user', op: 'add', person: person(payload, view, isDeliveryEmailShown) }),
  };
}

function person({ user }: Addition, { clientGravatar }: ClientView, isDeliveryEmailShown: boolean) {
  return publicUser(user, { isDeliveryEmailShown, clientGravatar, isActivityShown: true }, []);
}
