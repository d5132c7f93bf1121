import { accountView, type AccountRecord } from '../../../../../domain/accounts/account.js';
import { beneficiaryView, type BeneficiaryRecord } from '../../../../../domain/payees/beneficiary.js';
import { objectOf, textOf, writingOperations, type Call } from '../../call.js';
import type { EventTime } from '../../../../../exchange/exchange.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import type { WorldFacts } from '../../world-facts.js';
import { ask, control, loseResponse, pass, quote, register, withdraw, withdrawToRegistered } from '../../script.js';
import { accountStatus, beneficiaryStatuses, documentKey, instructionStatus, isSame, type KnownStatus } from './known-status.js';

/** The last status of a resource that a client received. */
interface Told extends Remembered {
  readonly order: number;
  /** Real time from which all workers of the client can know the status, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly status: KnownStatus;
}

/** Time after a response in which requests of other workers may still be based on an earlier status, in milliseconds. */
const graceMs = 1000;

/** The status that caused an error response, and a check that a client knew it. */
interface Reason {
  readonly id: string;
  isKnownBy(last: KnownStatus): boolean;
  readonly what: string;
}

/** Returns the status that caused an error response; null for another cause. */
function reasonOf(call: Call): Reason | null {
  const { details } = call;
  const id = (name: string) => textOf(details[name]) ?? '';
  const status = textOf(details['status']);
  const byStatus = (name: string, what: string): Reason => ({
    id: id(name),
    isKnownBy: (last) => last.status === status,
    what: `${what} is ${status ?? 'not usable'}`,
  });
  switch (call.record.code) {
    case 'PAYMENT_INSTRUCTION_NOT_APPROVED':
      return byStatus('paymentInstructionId', 'the payment instruction');
    case 'BENEFICIARY_NOT_APPROVED':
      return byStatus('beneficiaryId', 'the beneficiary');
    case 'ACCOUNT_NOT_ACTIVE':
    case 'ACCOUNT_NOT_MODIFIABLE':
      return byStatus('accountId', 'the account');
    case 'ASSET_NOT_ENABLED': {
      const asset = id('asset');
      const isKnownBy = (last: KnownStatus) => last.assets.get(asset) === status;
      return { id: id('accountId'), isKnownBy, what: `${asset} of the account is ${status ?? 'not there'}` };
    }
    case 'QUOTE_ALREADY_CONSUMED':
      return { id: id('quoteId'), isKnownBy: ({ status: last }) => last === 'CONSUMED', what: 'the client has already used the quote' };
    case 'DOCUMENT_NOT_REQUIRED': {
      const { type, referenceId } = objectOf(details['holder']);
      // The error does not name the account of a beneficial owner.
      if (type !== 'ACCOUNT') return null;
      const key = documentKey(null, details['documentType'], details['documentSubType']);
      return {
        id: String(referenceId),
        isKnownBy: ({ settled }) => settled.has(key),
        what: 'the document exists and no other is requested',
      };
    }
    default:
      return null;
  }
}

/** Returns the current status of a resource in the world. */
function present(world: WorldFacts, id: string, beneficiaryId: string | null): KnownStatus | undefined {
  const account = world.row('accounts', id);
  if (account) return accountStatus(accountView(account));
  const beneficiary = world.row('beneficiaries', beneficiaryId ?? id);
  return beneficiary && beneficiaryStatuses(beneficiaryView(beneficiary)).find((each) => each.id === id);
}

/** The operations that return statuses, and those that fail because of one. */
const operations: ReadonlySet<string> = new Set([...writingOperations, 'listAccounts', 'getBeneficiary']);

/** Maximum length of a response to read, in characters; longer ones are ignored. */
const maxText = 256 * 1024;

/** Returns the statuses in a response. */
function statusesIn(call: Call): { beneficiaryId: string | null; statuses: KnownStatus[] } {
  const none = { beneficiaryId: null, statuses: [] };
  const { record } = call;
  if (record.outcome !== 'DELIVERED' || record.status >= 300 || (record.response.body?.length ?? 0) > maxText) return none;
  switch (call.operationId) {
    case 'createAccount':
      return { beneficiaryId: null, statuses: [accountStatus(call.responseBody)] };
    case 'listAccounts':
      return { beneficiaryId: null, statuses: (call.responseBody['data'] as unknown[]).map(accountStatus) };
    case 'createBeneficiary':
    case 'getBeneficiary':
      return { beneficiaryId: textOf(call.responseBody['id']) ?? null, statuses: beneficiaryStatuses(call.responseBody) };
    default:
      return none;
  }
}

export const knownStatusIgnored = defineRule({
  id: 'state.known-status-ignored',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request used a resource although the client knew that it was not usable',
  advice: 'Wait until the resource is APPROVED or ACTIVE: wait for its webhook, or read it. A quote is valid for one operation.',
  examples: {
    invalid: [register(), quote(), withdrawToRegistered({ expect: 422 })],
    valid: [
      quote(),
      withdraw({ to: 'pending', expect: 422 }),
      control('GET', '/beneficiaries'),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'first', to: 'pending', expect: 'lost' }),
      ask('getBeneficiary', { params: { beneficiaryId: '{{pending.id}}' } }),
      pass(1100),
      withdraw({ key: 'first', to: 'pending', expect: 422 }),
    ],
  },
  create({ lruMap, report, world }) {
    const shown = lruMap<Told>(300);
    let lastList = '';
    const tell = (
      ref: string,
      { order, realMs }: EventTime,
      statuses: readonly KnownStatus[],
      isNew: boolean,
      beneficiaryId: string | null,
    ) => {
      for (const status of statuses) {
        const now = present(world, status.id, beneficiaryId);
        // The client does not know changes that happened while the response was sent.
        if (!now || !isSame(now, status)) shown.delete(status.id);
        // Only this response can have shown a new resource to the client.
        else if (!shown.get(status.id)) shown.set(status.id, { ref, order, fromMs: isNew ? 0 : realMs + graceMs, status });
      }
    };
    const forgetChanged = (statuses: readonly KnownStatus[]) => {
      for (const status of statuses) {
        const known = shown.get(status.id);
        if (known && !isSame(known.status, status)) shown.delete(status.id);
      }
    };
    return {
      operations,
      exchange(call) {
        const { record, id, operationId } = call;
        if (operationId === 'listAccounts') {
          if (record.response.body === lastList) return;
          lastList = (record.response.body?.length ?? 0) > maxText ? '' : (record.response.body ?? '');
        }
        const { statuses, beneficiaryId } = statusesIn(call);
        if (statuses.length > 0) tell(id, record.ended, statuses, record.method === 'POST', beneficiaryId);
        const { quoteId } = call;
        if (quoteId !== undefined && record.outcome === 'DELIVERED' && record.status < 300) {
          const status = { id: quoteId, status: 'CONSUMED', assets: new Map<string, string>(), settled: new Set<string>() };
          const { order, realMs } = record.ended;
          if (!shown.get(quoteId)) shown.set(quoteId, { ref: id, order, fromMs: realMs + graceMs, status });
        }
        // A replayed response was decided earlier: the retry does not use the resource again.
        if (record.status !== 422 || record.replay || !call.isGenuine) return;
        const reason = reasonOf(call);
        const known = reason && shown.get(reason.id);
        if (!known || !call.isAfter(known.order) || record.began.realMs < known.fromMs || !reason.isKnownBy(known.status)) return;
        report({
          ...call.place,
          evidence: [
            { ref: known.ref, what: 'This response or webhook showed the status to the client.' },
            { ref: id, what: `Rejected with ${record.code}: ${reason.what}.` },
          ],
        });
      },
      accepted({ record }) {
        if (!record.eventType.startsWith('BENEFICIARY_')) return;
        const payload = objectOf(record.payload);
        tell(record.id, record.ended, instructionStatus(payload), false, textOf(payload['id']) ?? null);
      },
      committed(changes) {
        if (shown.size === 0) return;
        for (const { table, row } of changes) {
          if (row === null) continue;
          if (table === 'accounts') forgetChanged([accountStatus(accountView(row as AccountRecord))]);
          if (table === 'beneficiaries') forgetChanged(beneficiaryStatuses(beneficiaryView(row as BeneficiaryRecord)));
        }
      },
    };
  },
});
