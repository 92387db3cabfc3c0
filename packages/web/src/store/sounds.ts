import chime from '../assets/sounds/chime.wav?url';
import ding from '../assets/sounds/ding.wav?url';
import knock from '../assets/sounds/knock.wav?url';
import pop from '../assets/sounds/pop.wav?url';
import ripple from '../assets/sounds/ripple.wav?url';

const SOUNDS: Readonly<Record<string, string>> = { chime, ding, knock, pop, ripple };

/** Plays one of the sounds that settings name; browsers refuse until the person has done something in the page. */
export async function playSound(name: string): Promise<void> {
  const address = SOUNDS[name];
  if (address === undefined) return;
  try {
    await new Audio(address).play();
  } catch {
    // Without it, the message is seen all the same.
  }
}
