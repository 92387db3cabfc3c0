/** What is written about in a filled organization. */

const words = (text: string) => text.split(' ');

export const SUBJECTS = words(
  'release invoice dashboard migration contract survey roadmap keynote backup budget prototype handbook newsletter pipeline ' +
    'calendar checklist translation warehouse campaign interview proposal firewall logo license forecast workshop ' +
    'onboarding firmware sandbox payroll podcast sitemap glossary playbook inventory webinar shipment badge coupon mural',
);

export const STATES = words(
  'ready late approved blocked broken finished signed merged delayed reviewed missing complete postponed fixed outdated ' +
    'promising confusing cheaper stable slower tested cancelled shared printed archived',
);

export const ACTIONS = words(
  'review sign update check restart rename publish test translate measure simplify approve archive rewrite print deliver ' +
    'schedule compare export rebuild',
);

export const PLACES = words(
  'Berlin Istanbul Lisbon Boston Recife Pune Osaka Lagos Oslo Quito Turin Cork Bern Riga Tartu Accra Perth Lima Hanoi Izmir',
);

export const DAYS = words('Monday Tuesday Wednesday Thursday Friday today tomorrow yesterday');

export const EMOJI = words('tada +1 eyes heart rocket thinking coffee smile');

export const CLIENT_NAMES = words('website website website mobile desktop integration');
