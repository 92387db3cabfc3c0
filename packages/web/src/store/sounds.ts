/** Made by make-sounds.mjs; each is written out, so that the build finds it. */
const SOUNDS: Readonly<Record<string, URL>> = {
  chime: new URL('../assets/sounds/chime.wav', import.meta.url),
  ding: new URL('../assets/sounds/ding.wav', import.meta.url),
  knock: new URL('../assets/sounds/knock.wav', import.meta.url),
  pop: new URL('../assets/sounds/pop.wav', import.meta.url),
  ripple: new URL('../assets/sounds/ripple.wav', import.meta.url),
};

/** Plays one of the sounds that settings name; browsers refuse until the person has done something in the page. */
export async function playSound(name: string): Promise<void> {
  const address = SOUNDS[name];
  if (address === undefined) return;
  try {
    await new Audio(address.href).play();
  } catch {
    // Without it, the message is seen all the same.
  }
}
