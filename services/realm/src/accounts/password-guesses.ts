import { Worker } from 'node:worker_threads';

/** The dictionaries take 40 MB and half a second to load, so a separate thread loads them, only while passwords are being set. */
const IDLE_MS = 60_000;

const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const load = require('node:module').createRequire(workerData);
const { ZxcvbnFactory } = load('@zxcvbn-ts/core');
const common = load('@zxcvbn-ts/language-common');
const english = load('@zxcvbn-ts/language-en');
const dictionary = { ...common.dictionary, ...english.dictionary };
const estimator = new ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs });
parentPort.on('message', (password) => parentPort.postMessage(estimator.check(password).guesses));
`;

interface Question {
  resolve(guesses: number): void;
  reject(error: Error): void;
}

interface Estimator {
  worker: Worker;
  /** In the order of their replies. */
  questions: Question[];
  idle: NodeJS.Timeout;
}

let running: Estimator | undefined;

/** Estimates how many guesses it takes to find a password. The time grows with its length: pass a bounded part. */
export function estimateGuesses(password: string): Promise<number> {
  running ??= start();
  const { worker, questions, idle } = running;
  idle.refresh();
  worker.ref();
  return new Promise((resolve, reject) => {
    questions.push({ resolve, reject });
    worker.postMessage(password);
  });
}

function start(): Estimator {
  const worker = new Worker(PROGRAM, { eval: true, execArgv: [], workerData: __filename });
  const questions: Question[] = [];
  const forget = () => {
    if (running?.worker === worker) running = undefined;
  };
  const end = (error: Error) => {
    forget();
    for (const { reject } of questions.splice(0)) reject(error);
  };
  const idle = setTimeout(() => {
    forget();
    void worker.terminate();
  }, IDLE_MS).unref();
  worker.on('message', (guesses: number) => {
    questions.shift()?.resolve(guesses);
    // The process may exit while no estimate is pending.
    if (questions.length === 0) worker.unref();
  });
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the estimator of passwords has ended')));
  return { worker, questions, idle };
}
