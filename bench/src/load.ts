import '@parley/shared/node-version';
import { inOneLine } from '@parley/operator/command/failures';
import { findServiceAddress } from '@parley/operator/command/find-service-address';
import { loadConfig } from '@parley/operator/config';
import { readRunFile } from '@parley/operator/run-file';
import { tlsFilesOf } from '@parley/shared/service';
import { type Accounts, accountsOfFile, makeAccounts } from './load/accounts';
import { findLimit } from './load/find-limit';
import { type LoadOptions, readLoadOptions, requireAnswer, USAGE } from './load/load-options';
import { loadAsJson, presentLoad } from './load/present-load';
import { type LoadReport, runLoad } from './load/run-load';

const say = (line: string) => process.stderr.write(`${line}\n`);

/** `npm run load`: how many users a deployment supports. Progress goes to standard error, results to standard output. */
async function main(): Promise<boolean> {
  const options = await readLoadOptions(process.argv.slice(2), readRunFile(loadConfig().DATA_DIR)?.url);
  if (!options) {
    process.stdout.write(USAGE);
    return true;
  }
  await requireAnswer(options.base);
  const accounts = await findAccounts(options);
  try {
    return options.isFind
      ? await find(options, accounts)
      : (await load(options, accounts, options.users)).verdict.holds;
  } finally {
    accounts.close();
  }
}

async function findAccounts({ accountsFile, base, realmHost, seed }: LoadOptions): Promise<Accounts> {
  if (accountsFile !== undefined) return accountsOfFile(accountsFile, realmHost ?? base.host);
  if (realmHost !== undefined)
    throw new Error('--realm-host goes with --accounts: accounts are made in an organization of their own');
  const config = loadConfig();
  const [realm, messages] = await Promise.all([
    findServiceAddress(config, 'realm'),
    findServiceAddress(config, 'messages'),
  ]);
  return makeAccounts({ realm, messages, tls: tlsFilesOf(config) }, seed);
}

async function load(options: LoadOptions, accounts: Accounts, users: number): Promise<LoadReport> {
  const { base, minutes, seed, isSteady, isJson } = options;
  say(`${users} users …`);
  const taken = await accounts.take(users);
  const report = await runLoad({
    base,
    host: accounts.host,
    accounts: taken,
    minutes,
    seed,
    isSteady,
    report: (line) => say(`  ${line}`),
  });
  process.stdout.write(isJson ? loadAsJson(report) : presentLoad(report));
  return report;
}

async function find(options: LoadOptions, accounts: Accounts): Promise<boolean> {
  const holds = async (users: number) => (await load(options, accounts, users)).verdict.holds;
  const users = await findLimit(holds, options.users, accounts.most);
  process.stdout.write(
    options.isJson ? `${JSON.stringify({ most_users: users })}\n` : `${users} users are served well\n`,
  );
  return users > 0;
}

main().then(
  (holds) => process.exit(holds ? 0 : 1),
  (error) => {
    say(`npm run load: ${inOneLine(error)}`);
    process.exit(1);
  },
);
