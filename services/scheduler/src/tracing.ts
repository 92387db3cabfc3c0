import { startTracing } from '@parley/shared/observability';

startTracing('scheduler');
