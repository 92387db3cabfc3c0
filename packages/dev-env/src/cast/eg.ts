import { ROLES } from '@parley/shared/values';

/** Users and channels of the demo and of all tests, by name. */
export const eg = {
  home: { subdomain: '', name: 'Home' },
  /** Another organization, which must not know anything of the first. */
  away: { subdomain: 'away', name: 'Away' },

  iris: { email: 'iris@example.com', fullName: 'Iris Abara', role: ROLES.owner },
  dan: { email: 'dan@example.com', fullName: 'Dan Brooks', role: ROLES.member },
  eve: { email: 'eve@example.com', fullName: 'Eve Castillo', role: ROLES.member },
  faye: { email: 'faye@example.com', fullName: 'Faye Duarte', role: ROLES.guest },
  /** A generic bot of Dan's. */
  robo: { email: 'robo-bot@example.com', fullName: 'Robo', role: ROLES.member, botType: 1 },
  /** Owner of the other organization. */
  zoe: { email: 'zoe@away.example', fullName: 'Zoe Ek', role: ROLES.owner },

  /** Exists in every organization; everybody but the bot is subscribed. */
  general: 'general',
  /** Private; Iris and Dan are subscribed. */
  leads: { name: 'leads', description: 'Iris and Dan only', memberEmails: ['iris@example.com', 'dan@example.com'] },
} as const;

export type Person = 'iris' | 'dan' | 'eve' | 'faye' | 'robo' | 'zoe';
