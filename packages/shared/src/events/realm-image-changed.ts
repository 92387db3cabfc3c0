import { type OrganizationImageKind, publicOrganizationImage } from '../wire';
import { declareEvent } from './declare-event';

export interface RealmImageChanged {
  realmId: number;
  subdomain: string;
  kind: OrganizationImageKind;
  /** Null: the default picture is shown. */
  version: number | null;
}

/** An organization has another icon or logo. Public event `realm`, op `update_dict`, for everybody. */
export const realmImageChanged = declareEvent<RealmImageChanged>()('realm.image-changed', [
  {
    type: 'realm',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ realmId, subdomain, kind, version }) => ({
      type: 'realm',
      op: 'update_dict',
      property: kind,
      data: publicOrganizationImage({ id: realmId, subdomain }, kind, version),
    }),
  },
]);
