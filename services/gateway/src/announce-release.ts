import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import { serverVersion } from './http/brands';

const RETRY_MS = 5_000;

interface Needs {
  realm: RpcClient<'realm'>;
  clock: Clock;
  log: Logger;
}

/**
 * Announces this gateway's release to realm, once, for clients whose queues were created in an earlier one: gateways are the last to be
 * replaced in an upgrade. Tries in the background until realm has it, or the returned function is called.
 */
export function announceRelease({ realm, clock, log }: Needs): () => void {
  let isStopped = false;
  let cancel = () => {};

  async function announce(): Promise<void> {
    try {
      await realm.noteRelease(newCall(), {
        version: serverVersion.service_version,
        mergeBase: serverVersion.service_merge_base,
        featureLevel: serverVersion.service_feature_level,
      });
    } catch (error) {
      if (isStopped) return;
      log.warn({ err: error }, 'the release was not reported to realm');
      cancel = clock.after(RETRY_MS, () => void announce());
    }
  }

  void announce();
  return () => {
    isStopped = true;
    cancel();
  };
}
