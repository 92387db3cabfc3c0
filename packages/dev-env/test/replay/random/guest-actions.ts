import { sendMessage, subscribe, unsubscribe, updateUser } from '@parley/gateway/endpoints';
import { ROLES } from '@parley/shared/values';
import { type Action, ask, channelIn, channelNameIn, flip, leader, type Stage, userIn } from './actors';

type Actions = Readonly<Record<string, (stage: Stage) => Action>>;

/** Those who are guests now and then. */
const GUESTS = ['faye', 'gus', 'ida', 'robo'];

const guestIn = ({ random }: Stage) => random.pick(GUESTS);
const idOf = ({ people }: Stage, name: string) => people[name]?.userId as number;

function givesRole(stage: Stage, role: number): Action {
  return ask(stage, 'iris', updateUser, { user_id: idOf(stage, guestIn(stage)), role });
}

/** Whom guests meet, and leave. */
export const guestActions: Actions = {
  makeGuest: (stage) => givesRole(stage, ROLES.guest),
  makeMember: (stage) => givesRole(stage, ROLES.member),
  admit: (stage) => {
    const role = stage.random.pick([ROLES.guest, ROLES.member, ROLES.moderator]);
    const account = { email: `${stage.name}@example.com`, fullName: stage.name, role };
    return { text: `somebody comes: ${JSON.stringify(account)}`, run: () => stage.admit(account) };
  },
  addGuest: (stage) =>
    ask(stage, 'iris', subscribe, {
      subscriptions: [{ name: channelNameIn(stage) }],
      principals: [idOf(stage, guestIn(stage)), ...(flip(stage) ? [userIn(stage)] : [])],
    }),
  removeGuest: (stage) =>
    ask(stage, 'iris', unsubscribe, {
      subscriptions: [channelNameIn(stage)],
      principals: [idOf(stage, guestIn(stage)), ...(flip(stage) ? [userIn(stage)] : [])],
    }),
  writeToGuest: (stage) => {
    const to = [idOf(stage, guestIn(stage)), ...(flip(stage) ? [userIn(stage)] : [])];
    return ask(stage, leader(stage), sendMessage, { type: 'direct', to, content: stage.name });
  },
  writeAsGuest: (stage) => {
    const to = flip(stage)
      ? { type: 'direct' as const, to: [userIn(stage)] }
      : { type: 'channel' as const, to: channelIn(stage), topic: 'lunch' };
    return ask(stage, guestIn(stage), sendMessage, { ...to, content: stage.name });
  },
};
