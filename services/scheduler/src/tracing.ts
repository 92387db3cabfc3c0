import '@parley/shared/node-version';
import { startTracing } from '@parley/shared/observability';

startTracing('scheduler');
