import { startTracing } from '@parley/shared/observability';

startTracing('gateway');
