import './tracing';
import { createLogger, runService } from '@parley/shared/service';
import { loadConfig } from './config';
import { create } from './service';

void runService(() => {
  const config = loadConfig();
  const log = createLogger('gateway', config.LOG_LEVEL);
  return { service: create(config, { log, describesFirst: true }), log, metricsListen: config.METRICS_LISTEN };
});
