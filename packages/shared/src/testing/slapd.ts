import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as Ldapts from 'ldapts';
import { freePort } from '../embedded';
import { createTestAuthority, type TestAuthority } from './certificates';
import { until } from './until';

const SUFFIX = 'dc=example,dc=org';
export const PEOPLE = `ou=people,${SUFFIX}`;
export const GROUPS = `ou=groups,${SUFFIX}`;
const ADMIN = { dn: `cn=admin,${SUFFIX}`, password: 'the password of the service account' };
/** An account that is answered two entries at most, also page by page. */
export const LIMITED = { dn: `cn=limited,${SUFFIX}`, password: 'the password of the limited account' };
const SCHEMAS = ['core', 'cosine', 'inetorgperson', 'nis'];

const MEMBERS = { groupOfNames: 'member', groupOfUniqueNames: 'uniqueMember', posixGroup: 'memberUid' } as const;

/** A directory server: OpenLDAP on 127.0.0.1, with a certificate for localhost. */
export class Slapd {
  #process: ChildProcess | null = null;
  #client: Ldapts.Client | null = null;
  #stderr = '';

  private constructor(
    private readonly folder: string,
    private readonly authority: TestAuthority,
    readonly ca: string,
    readonly ports: { tls: number; plain: number },
  ) {}

  static async start(entries: readonly string[] = []): Promise<Slapd> {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-slapd-'));
    const authority = await createTestAuthority();
    const { certFile, keyFile, caFile } = await authority.issue(['localhost']);
    mkdirSync(path.join(folder, 'db'));
    const lines = [
      ...SCHEMAS.map((name) => `include /etc/ldap/schema/${name}.schema`),
      ...['modulepath /usr/lib/ldap', 'moduleload back_mdb', `pidfile ${folder}/pid`, 'sizelimit unlimited'],
      ...[`TLSCACertificateFile ${caFile}`, `TLSCertificateFile ${certFile}`, `TLSCertificateKeyFile ${keyFile}`],
      ...['database mdb', `suffix "${SUFFIX}"`, `rootdn "${ADMIN.dn}"`, `rootpw "${ADMIN.password}"`],
      ...[`limits dn.exact="${LIMITED.dn}" size=2`],
      ...[`directory ${folder}/db`, 'maxsize 268435456', 'dbnosync', 'index objectClass,uid,mail,member,entryUUID eq'],
    ];
    writeFileSync(path.join(folder, 'slapd.conf'), `${lines.join('\n')}\n`);
    const ports = { tls: await freePort(), plain: await freePort() };
    const slapd = new Slapd(folder, authority, readFileSync(caFile, 'utf8'), ports);
    slapd.#load(entries);
    await slapd.resume();
    return slapd;
  }

  /** The settings of a directory with this server. */
  get settings() {
    return {
      isEnabled: true,
      url: `ldaps://localhost:${this.ports.tls}`,
      ca: this.ca,
      bindDn: ADMIN.dn,
      bindPassword: ADMIN.password,
      userBase: PEOPLE,
    };
  }

  #load(entries: readonly string[]): void {
    const base = [
      `dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example`,
      `dn: ${LIMITED.dn}\nobjectClass: applicationProcess\nobjectClass: simpleSecurityObject\ncn: limited\nuserPassword: ${LIMITED.password}`,
      ...['people', 'groups'].map((ou) => `dn: ou=${ou},${SUFFIX}\nobjectClass: organizationalUnit\nou: ${ou}`),
    ];
    const input = `${[...base, ...entries].join('\n\n')}\n`;
    const conf = path.join(this.folder, 'slapd.conf');
    const { status, stderr } = spawnSync('/usr/sbin/slapadd', ['-q', '-f', conf], { input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`slapadd: ${stderr}`);
  }

  /** Starts the server, again after pause(). */
  async resume(): Promise<void> {
    const urls = `ldap://127.0.0.1:${this.ports.plain} ldaps://127.0.0.1:${this.ports.tls}`;
    const arguments_ = ['-f', path.join(this.folder, 'slapd.conf'), '-h', urls, '-d', 'none'];
    const child = spawn('/usr/sbin/slapd', arguments_, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    const ended = new Promise<never>((_, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`slapd has ended: ${this.#stderr}`)));
    });
    // It says "slapd starting" a moment before it listens.
    const { plain, tls } = this.ports;
    await Promise.race([
      ended,
      until(async () => child.exitCode !== null || ((await isListening(plain)) && (await isListening(tls)))),
    ]);
  }

  /** Ends the server; its data stays. */
  async pause(): Promise<void> {
    await this.#client?.unbind().catch(() => {});
    this.#client = null;
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
    this.#stderr = '';
  }

  async stop(): Promise<void> {
    await this.pause();
    this.authority.remove();
    rmSync(this.folder, { recursive: true });
  }

  /** Adds a person; returns the entry's name. */
  async addPerson(
    uid: string,
    { name = `Person ${uid}`, mail = `${uid}@example.org`, password = `${uid}'s password` } = {},
  ) {
    const client = await this.#admin();
    const dn = `uid=${uid},${PEOPLE}`;
    const person = { objectClass: 'inetOrgPerson', uid, cn: name, sn: name, userPassword: password };
    await client.add(dn, { ...person, ...(mail !== '' && { mail }) });
    return dn;
  }

  /** Adds a group; members are names of entries, or with `posixGroup` their uids. */
  async addGroup(
    cn: string,
    members: readonly string[],
    objectClass: keyof typeof MEMBERS = 'groupOfNames',
  ): Promise<string> {
    const dn = `cn=${cn},${GROUPS}`;
    const group = { objectClass, cn, ...(objectClass === 'posixGroup' && { gidNumber: '1000' }) };
    await (await this.#admin()).add(dn, { ...group, [MEMBERS[objectClass]]: [...members] });
    return dn;
  }

  /** Adds a part of the directory that another server has: searches are answered with its address. */
  async addReferral(cn: string, address: string): Promise<void> {
    const referral = { objectClass: ['referral', 'extensibleObject'], cn, ref: address };
    await (await this.#admin()).add(`cn=${cn},${PEOPLE}`, referral);
  }

  async replace(dn: string, type: string, values: readonly string[]): Promise<void> {
    const { Attribute, Change } = ldapts();
    const modification = new Attribute({ type, values: [...values] });
    await (await this.#admin()).modify(dn, new Change({ operation: 'replace', modification }));
  }

  async remove(dn: string): Promise<void> {
    await (await this.#admin()).del(dn);
  }

  async #admin(): Promise<Ldapts.Client> {
    if (this.#client?.isConnected) return this.#client;
    const { Client } = ldapts();
    this.#client = new Client({ url: `ldap://127.0.0.1:${this.ports.plain}` });
    await this.#client.bind(ADMIN.dn, ADMIN.password);
    return this.#client;
  }
}

/** An ES module; loaded by the suites that start a server. */
function ldapts(): typeof Ldapts {
  return require('ldapts') as typeof Ldapts;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}
