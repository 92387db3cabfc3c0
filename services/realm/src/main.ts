import './tracing';
import { createLogger, runService } from '@parley/shared/service';
import { loadConfig } from './config';
import { create } from './service';

void runService(() => {
  const config = loadConfig();
  const log = createLogger('realm', config.LOG_LEVEL);
  return { service: create(config, { log }), log, metricsListen: config.METRICS_LISTEN };
});
