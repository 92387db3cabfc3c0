const east: Record<string, number> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 60,
  cet: 60,
  met: 60,
  west: 60,
  wat: 60,
  cest: 120,
  mest: 120,
  eet: 120,
  sast: 120,
  cat: 120,
  eest: 180,
  msk: 180,
  eat: 180,
  trt: 180,
  idt: 180,
  gst: 240,
  msd: 240,
  pkt: 300,
  ist: 330,
  npt: 345,
  wib: 420,
  ict: 420,
  hkt: 480,
  sgt: 480,
  awst: 480,
  pht: 480,
  myt: 480,
  jst: 540,
  kst: 540,
  acst: 570,
  aest: 600,
  acdt: 630,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
};
const west: Record<string, number> = {
  brt: 180,
  art: 180,
  clst: 180,
  adt: 180,
  ndt: 150,
  nst: 210,
  ast: 240,
  clt: 240,
  edt: 240,
  est: 300,
  cdt: 300,
  cst: 360,
  mdt: 360,
  mst: 420,
  pdt: 420,
  pst: 480,
  akdt: 480,
  akst: 540,
  hdt: 540,
  hst: 600,
  sst: 660,
};

/** Minutes east of UTC of a zone as people write it: `Z`, `+04:00`, `UTC-3`, `PST`; null for a name not known. */
export function parseZone(written: string): number | null {
  const [, name = '', sign, hours, minutes = '0'] =
    /^([a-z]*)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/.exec(written.toLowerCase()) ?? [];
  if (sign === undefined) return east[name] ?? (west[name] === undefined ? null : -west[name]);
  if (!['', 'utc', 'gmt'].includes(name)) return null;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}
