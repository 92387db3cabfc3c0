import { Slapd } from '@parley/shared/testing';

/** The server of a test file. */
export function slapdOfTests(): () => Slapd {
  let slapd: Slapd | undefined;
  beforeAll(async () => {
    slapd = await Slapd.start();
  });
  afterAll(() => slapd?.stop());
  return () => slapd as Slapd;
}
