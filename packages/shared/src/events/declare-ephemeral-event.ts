import { type DomainEvent, declareEvent, type EventDeclaration, type PublicShape } from './declare-event';

/** What has happened and means nothing a moment later: it may be announced without a transaction, and may get lost. */
export interface EphemeralEvent<Kind extends string = string, Payload = unknown> extends DomainEvent<Kind, Payload> {
  isEphemeral: true;
}

export interface EphemeralDeclaration<Kind extends string, Payload> extends EventDeclaration<Kind, Payload> {
  (realmId: number, payload: Payload): EphemeralEvent<Kind, Payload>;
}

/** As declareEvent(), for what announceEphemeral() takes: typing and presence, and nothing else. */
export function declareEphemeralEvent<Payload>() {
  return <Kind extends string>(
    kind: Kind,
    publicShapes: readonly PublicShape<Payload>[],
  ): EphemeralDeclaration<Kind, Payload> => {
    const declaration = declareEvent<Payload>()(kind, publicShapes);
    const make = (realmId: number, payload: Payload) => ({
      ...declaration(realmId, payload),
      isEphemeral: true as const,
    });
    return Object.assign(make, { kind, publicShapes });
  };
}
