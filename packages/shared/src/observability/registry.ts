import { Registry } from 'prom-client';

/** What this process tells Prometheus. Of the process, not of a service: outside tests each service has a process of its own. */
export const registry = new Registry();
