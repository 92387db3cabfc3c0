import { type Caller, newCall } from '@parley/shared/rpc';

/** All of a registration together; less than proxies wait for an answer. */
const REGISTRATION_MS = 45_000;

/**
 * Who registers. They need one answer after the other, and a machine that is busy takes long for each: so each question has a call's usual
 * time, however long those before it took, and only all of them together have a bound. A service that is away is not waited for longer.
 */
export interface RegisteringCall extends Caller {
  /** Until when all of it has to be done, UNIX milliseconds. */
  endsAt: number;
}

export function registeringCall(caller: Caller): RegisteringCall {
  return nextQuestion({ ...caller, endsAt: newCall(caller.requestId, REGISTRATION_MS).deadlineAt });
}

/** The call for what is asked now, after an answer. */
export function nextQuestion(call: RegisteringCall): RegisteringCall {
  const { deadlineAt } = newCall(call.requestId);
  return { ...call, deadlineAt: Math.min(deadlineAt, call.endsAt) };
}
