import { declareEvent } from './declare-event';

export interface RealmPropertyChanged {
  /** Its name in the API. */
  name: string;
  value: boolean | number | string | null;
}

/** One property of an organization is another, which no other one follows. Public event `realm`, op `update`, for everybody. */
export const realmPropertyChanged = declareEvent<RealmPropertyChanged>()('realm.property-changed', [
  {
    type: 'realm',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ name, value }) => ({ type: 'realm', op: 'update', property: name, value }),
  },
]);
