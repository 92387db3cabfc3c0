import type { notices as english } from '../en/notices';

export const notices: typeof english = {
  welcome:
    'Hallo und willkommen! Dieser Bot begrüßt alle, die neu hier sind.\n\n' +
    'Gesprochen wird in **Kanälen**, und jede Unterhaltung in einem Kanal hat ein **Thema**: So lassen sich mehrere zugleich verfolgen, ' +
    'und was nicht wichtig ist, lässt sich überspringen. Am besten die Kanäle durchsehen, den passenden beitreten und für etwas Neues ein ' +
    'neues Thema beginnen.',
  welcomeForAdministrators:
    'Dieses Konto **verwaltet** die Organisation: Es kann Personen einladen, Kanäle für sie anlegen und in den Einstellungen der ' +
    'Organisation ändern, wie alles aussieht und funktioniert.',
};
