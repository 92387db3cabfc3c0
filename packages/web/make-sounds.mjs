// Makes the sounds of notifications, which are in src/assets/sounds: node make-sounds.mjs
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const RATE = 16_000;
const LOUDEST = 0.5 * 32_767;

/** Tones of a pitch in Hz that begin at a second and fade within another number of seconds. */
const SOUNDS = {
  chime: {
    seconds: 0.9,
    tones: [
      [0, 880, 0.3],
      [0.14, 1_174.7, 0.35],
      [0.14, 2_349.3, 0.12],
    ],
  },
  ding: {
    seconds: 0.7,
    tones: [
      [0, 1_318.5, 0.3],
      [0, 2_637, 0.12],
    ],
  },
  knock: {
    seconds: 0.4,
    tones: [
      [0, 170, 0.035],
      [0.16, 150, 0.035],
    ],
  },
  pop: {
    seconds: 0.2,
    tones: [
      [0, 520, 0.03],
      [0.03, 780, 0.03],
    ],
  },
  ripple: {
    seconds: 0.9,
    tones: [
      [0, 659.3, 0.15],
      [0.1, 784, 0.15],
      [0.2, 987.8, 0.15],
      [0.3, 1_318.5, 0.25],
    ],
  },
};

for (const [name, { seconds, tones }] of Object.entries(SOUNDS)) {
  const samples = Array.from({ length: seconds * RATE }, (_, at) => sampleAt(at / RATE, tones));
  const peak = Math.max(...samples.map(Math.abs));
  const file = path.join(import.meta.dirname, 'src/assets/sounds', `${name}.wav`);
  writeFileSync(file, waveFile(samples.map((sample) => Math.round((sample / peak) * LOUDEST))));
}

function sampleAt(time, tones) {
  const parts = tones.map(([start, pitch, fade]) => {
    const since = time - start;
    // Rises within some milliseconds: a sudden beginning is heard as a crack.
    return since < 0 ? 0 : Math.min(1, since / 0.004) * Math.exp(-since / fade) * Math.sin(2 * Math.PI * pitch * since);
  });
  return parts.reduce((sum, part) => sum + part, 0);
}

/** PCM, one channel, 16 bits. */
function waveFile(samples) {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length * 2, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length * 2, 40);
  return Buffer.concat([head, Buffer.from(Int16Array.from(samples).buffer)]);
}
