import { type Bus, describeBroker } from '../bus';
import { type Database, listAppliedMigrations, readServerVersion } from '../db';
import type { InspectedProcess } from '../inspection';
import { checkMailServer } from '../mail/check-mail-server';

interface Inspectable {
  name: string;
  config: object & { SMTP_URL?: string | undefined };
  bus: Bus;
  /** Absent: the service has none. */
  db?: Database;
}

/** A service's description of itself and its servers. Called where it is started. */
export function inspectedService({ name, config, bus, db }: Inspectable): InspectedProcess {
  const { SMTP_URL } = config;
  return {
    service: name,
    config: { ...config },
    servers: {
      ...(db && { postgresql: () => readServerVersion(db) }),
      nats: () => describeBroker(bus),
      ...(SMTP_URL !== undefined && { smtp: () => checkMailServer(SMTP_URL) }),
    },
    ...(db && { migrations: () => listAppliedMigrations(db) }),
  };
}
