import { type Owner, UserSettingFields } from '../setting-parts';

/** How the client looks and behaves. */
export function Look({ owner = 'self' }: { owner?: Owner }) {
  return (
    <>
      <UserSettingFields owner={owner} part="look" />
      <UserSettingFields owner={owner} part="language" />
      <UserSettingFields owner={owner} part="reading" />
      <UserSettingFields owner={owner} part="writing" />
      <UserSettingFields owner={owner} part="topics" />
    </>
  );
}

/** Privacy settings. */
export function Privacy({ owner = 'self' }: { owner?: Owner }) {
  return (
    <>
      <UserSettingFields owner={owner} part="presence" />
      <UserSettingFields owner={owner} part="typing" />
      <UserSettingFields owner={owner} part="data" />
    </>
  );
}
