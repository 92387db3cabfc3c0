import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, type Parameters } from '../../api/call';
import { onEvent, registration } from '../../store/model';
import { attempt } from '../base/notices';

export interface Fetched<Answer> {
  /** Null until it is there. */
  answer: ReadonlySignal<Answer | null>;
  load: () => Promise<void>;
}

/** Data outside the registered state; fetched again after an event of its type. */
export function useFetched<Answer>(path: string, parameters: Parameters = {}, eventType?: string): Fetched<Answer> {
  const answer = useSignal<Answer | null>(null);
  const load = async () => {
    answer.value = (await attempt(() => call<Answer>('GET', path, parameters))) ?? answer.value;
  };
  useEffect(() => {
    void load();
    return onEvent(({ type }) => {
      if (type === eventType) void load();
    });
    // Its event may be among those that were lost with a former queue.
  }, [registration.value]);
  return { answer, load };
}
