import { settingsTexts } from '../../../texts/settings-texts';
import { Part } from '../listing';
import { Look, Privacy } from '../personal/look';
import { Notifications } from '../personal/notifications';

/** The settings of new accounts. */
export function Defaults() {
  return (
    <>
      <Part note={settingsTexts.value.defaultsNote}>{null}</Part>
      <Look owner="defaults" />
      <Notifications owner="defaults" />
      <Privacy owner="defaults" />
    </>
  );
}
