import type { Account, AccountWithBalances, AssetCode, Segment } from '../../client/types.js';
import { UsageError } from '../failure.js';
import { idMeaning, idOf } from '../ids.js';
import { oneOf, reasonOf, reasonOptions } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'force';

const accountMoves = ['open', 'activate', 'reject', 'close'] as const;
const assetMoves = ['activate', 'fail', 'freeze', 'unfreeze', 'deactivate'] as const;
const moneyMoves = ['credit', 'debit'] as const;

function showAccount({ out }: Invocation, account: Account | AccountWithBalances): void {
  const { id, currentState, assets } = account;
  const balances = 'balances' in account ? account.balances.map(({ value, asset }) => `  balance ${value} ${asset}`) : [];
  const lines = [
    `ACCOUNT ${id} ${out.status(currentState.status)}`,
    ...assets.map(({ asset, status }) => `  ${asset} ${out.status(status)}`),
  ];
  out.show(account, [...lines, ...balances], [id]);
}

function wanted(values: readonly string[], count: number, form: string): void {
  if (values.length !== count)
    throw new UsageError(`Usage: crossborder-sandbox account <id> ${form}; expected ${count} values after the move, got ${values.length}.`);
}

const account: Verb = {
  name: 'account',
  group,
  summary: 'Show an account with its balances, change its status, or credit or debit it.',
  args: [
    { name: 'id', meaning: idMeaning('account') },
    {
      name: 'move',
      meaning: `${[...accountMoves, 'segment', ...moneyMoves].join(', ')}. Default: show the account.`,
      isOptional: true,
    },
    { name: 'value', meaning: 'The segment, or an amount and its asset.', isOptional: true, isMany: true },
  ],
  options: reasonOptions,
  examples: [
    'crossborder-sandbox account @last',
    'crossborder-sandbox account @last credit 100.00 BRL',
    'crossborder-sandbox account @last reject --reason COMPLIANCE_REJECTED',
  ],
  calls: [
    'GET /_sandbox/accounts/{accountId}',
    ...[...accountMoves, ...moneyMoves].map((each) => `POST /_sandbox/accounts/{accountId}/${each}`),
    'PUT /_sandbox/accounts/{accountId}/segment',
    'GET /_sandbox/accounts',
  ],
  run: async (invocation) => {
    const { world, args, given, signal } = invocation;
    const [idText, moveText, ...values] = args;
    const reason = await reasonOf(given, invocation);
    const move = moveText === undefined ? undefined : oneOf(moveText, 'The move', [...accountMoves, 'segment', ...moneyMoves]);
    const handle = world.account(await idOf(idText!, 'account', invocation));
    if (move === undefined) return showAccount(invocation, await handle.get({ signal }));
    if (move === 'credit' || move === 'debit') {
      wanted(values, 2, `${move} <amount> <asset>`);
      return showAccount(invocation, await handle[move](values[0]!, values[1]!.toUpperCase() as AssetCode, { signal }));
    }
    if (move === 'segment') {
      wanted(values, 1, 'segment <segment>');
      return showAccount(invocation, await handle.segment(values[0]!.toUpperCase() as Segment, { signal }));
    }
    wanted(values, 0, move);
    showAccount(invocation, await handle[move](reason, { signal }));
  },
};

const asset: Verb = {
  name: 'asset',
  group,
  summary: 'Change the status of one asset of an account.',
  args: [
    { name: 'id', meaning: idMeaning('account') },
    { name: 'asset', meaning: 'The asset, for example BRL.' },
    { name: 'move', meaning: assetMoves.join(', ') },
  ],
  options: reasonOptions,
  examples: [
    'crossborder-sandbox account @last activate && crossborder-sandbox asset @last BRL freeze',
    'crossborder-sandbox account @last activate && crossborder-sandbox asset @last BRL freeze --reason SANCTIONS_MATCH',
    'crossborder-sandbox account @last activate && crossborder-sandbox asset @last BRL deactivate --json',
  ],
  calls: [...assetMoves.map((each) => `POST /_sandbox/accounts/{accountId}/assets/{asset}/${each}`), 'GET /_sandbox/accounts'],
  run: async (invocation) => {
    const { world, args, given, signal } = invocation;
    const move = oneOf(args[2]!, 'The move', assetMoves);
    const reason = await reasonOf(given, invocation);
    const handle = world.account(await idOf(args[0]!, 'account', invocation)).asset(args[1]!.toUpperCase() as AssetCode);
    showAccount(invocation, await handle[move](reason, { signal }));
  },
};

export const accountVerbs: readonly Verb[] = [account, asset];
