import { readFileSync } from 'node:fs';

/** An image that the Dockerfile can make, with what it has from the stages below it. */
export interface Stage {
  name: string;
  environment: Record<string, string>;
  ports: number[];
  user: string | undefined;
  command: string[] | undefined;
  entryPoint: string[] | undefined;
  healthCheck: string | undefined;
  volumes: string[];
  /** Paths copied from other stages: `stage:/path`. */
  copies: string[];
  runs: string[];
}

export function readStages(file: string): Map<string, Stage> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, words] of instructionsOf(readFileSync(file, 'utf8'))) {
    if (instruction === 'FROM') {
      const [base, , name] = words.split(' ') as [string, string, string];
      stage = startStage(name, stages.get(base));
      stages.set(name, stage);
    } else if (stage) follow(stage, instruction, words);
  }
  return stages;
}

/** The image that everything is made on. */
export function baseImage(file: string): string {
  const found = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(file, 'utf8'));
  return found?.[1] as string;
}

function instructionsOf(text: string): [string, string][] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n');
  const instructions = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return instructions.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

function startStage(name: string, base: Stage | undefined): Stage {
  const empty = {
    environment: {},
    ports: [],
    volumes: [],
    user: undefined,
    command: undefined,
    entryPoint: undefined,
    healthCheck: undefined,
  };
  return { ...empty, ...structuredClone(base), name, copies: [], runs: [] };
}

function follow(stage: Stage, instruction: string, words: string): void {
  if (instruction === 'ENV') Object.assign(stage.environment, Object.fromEntries(words.split(' ').map(assignment)));
  if (instruction === 'EXPOSE') stage.ports.push(Number(words));
  if (instruction === 'USER') stage.user = words;
  if (instruction === 'VOLUME') stage.volumes.push(words);
  if (instruction === 'CMD') stage.command = JSON.parse(words);
  if (instruction === 'ENTRYPOINT') stage.entryPoint = JSON.parse(words);
  if (instruction === 'HEALTHCHECK') stage.healthCheck = words;
  if (instruction === 'RUN') stage.runs.push(words);
  if (instruction === 'COPY') stage.copies.push(words.replace(/^--from=(\S+) (\S+) .*$/, '$1:$2'));
}

function assignment(words: string): [string, string] {
  const equals = words.indexOf('=');
  return [words.slice(0, equals), words.slice(equals + 1)];
}
