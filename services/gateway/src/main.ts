import './tracing';
import { createLogger, runService } from '@parley/shared/service';
import { loadConfig } from './config';
import { create } from './service';

void runService(() => {
  const config = loadConfig();
  const log = createLogger('gateway', config.LOG_LEVEL);
  if (config.UPLOAD_TOKEN_SECRET === undefined)
    log.warn(
      'UPLOAD_TOKEN_SECRET is not set: with several gateways, temporary addresses of files are refused now and then',
    );
  return { service: create(config, { log, describesFirst: true }), log, metricsListen: config.METRICS_LISTEN };
});
