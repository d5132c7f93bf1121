import type { RecordEntry } from '../../contract/control/analysis/record.js';
import { isDefinedEvent } from '../../contract/shared/event-types.js';
import { maxTrials, type ScenarioTrial } from '../../contract/control/scenario-files.js';
import type { ResourceTrigger } from '../../contract/shared/kinds.js';
import type { Trigger } from '../../contract/scenario/scenario.js';
import { accountView, assetId, assetSubject, uboSubject, type AccountRecord } from '../../domain/accounts/account.js';
import { documentSubject } from '../../domain/accounts/document.js';
import type { Interruptible } from '../../domain/interruptible.js';
import { current } from '../../domain/machine.js';
import { operationSubject } from '../../domain/operations/operation.js';
import { holderName, instructionSubject } from '../../domain/payees/beneficiary.js';
import { resourceAgeMs } from '../../engine/resource-age.js';
import type { View } from '../../world/view.js';
import { jsonOf } from './verify/subject.js';

/** A request, webhook attempt or resource that rules can test again. */
export interface PastTrigger extends Pick<ScenarioTrial, 'id' | 'at' | 'summary'> {
  readonly on: Trigger;
  /** True for a request that was rejected: rules of the phase `after_commit` do not apply to it. */
  readonly isRejected?: true;
  /** Returns the object that rules test. */
  readonly subject: () => unknown;
}

/** Returns the recorded entries of a kind in a world, newest first. Each is read when it is needed. */
export type NewestEntries = (kind: RecordEntry['kind']) => Iterable<RecordEntry>;

/** Returns the newest triggers of a kind, newest first. Resources have their present state. */
export function* pastTriggers(view: View, entries: NewestEntries, on: Trigger): Interruptible<PastTrigger[]> {
  const found: PastTrigger[] = [];
  for (const trigger of triggersOn[on](view, entries)) {
    if (trigger && found.push(trigger) === maxTrials) break;
    yield;
  }
  return found;
}

/** Returns a resource that rules can test again; undefined if it is not among the newest of its kind. */
export function newestTrigger(view: View, on: ResourceTrigger, id: string): PastTrigger | undefined {
  let seen = 0;
  for (const trigger of triggersOn[on](view, () => [])) {
    if (trigger?.id === id) return trigger;
    if (trigger && ++seen === maxTrials) return undefined;
  }
  return undefined;
}

/** Functions that return the triggers of each kind, newest first; null stands for an entry to which rules do not apply. */
const triggersOn: Readonly<Record<Trigger, (view: View, entries: NewestEntries) => Iterable<PastTrigger | null>>> = {
  *OPERATION(view) {
    for (const row of view.list('operations').walk(-1, null)) {
      const { id, createdAt: at, intent, sourceAmount } = row;
      const summary = `${intent.type.toLowerCase()} of ${sourceAmount.value} ${sourceAmount.asset}`;
      yield { on: 'OPERATION', id, at, summary, subject: () => operationSubject(row) };
    }
  },
  *PAYMENT_INSTRUCTION(view) {
    for (const row of view.list('beneficiaries').walk(-1, null)) {
      yield null;
      for (const instruction of row.paymentInstructions.toReversed()) {
        const { id, createdAt: at, type, asset } = instruction;
        const subject = () => instructionSubject(instruction, row);
        yield { on: 'PAYMENT_INSTRUCTION', id, at, summary: `${type} in ${asset} of ${holderName(row.holder)}`, subject };
      }
    }
  },
  *DOCUMENT(view) {
    for (const row of view.list('documents').walk(-1, null)) {
      const { id, createdAt: at, documentType, file } = row;
      const subject = () => documentSubject(row, view.require('accounts', row.accountId, 'account'));
      yield { on: 'DOCUMENT', id, at, summary: `${documentType}: ${file.name}`, subject };
    }
  },
  *UBO(view) {
    for (const account of accounts(view)) {
      yield null;
      for (const ubo of account.ubos.toReversed()) {
        const subject = () => uboSubject(ubo, account);
        yield { on: 'UBO', id: ubo.id, at: ubo.states[0]?.createdAt ?? account.createdAt, summary: ubo.name, subject };
      }
    }
  },
  *ACCOUNT(view) {
    for (const account of accounts(view)) {
      const { id, createdAt: at } = account;
      yield { on: 'ACCOUNT', id, at, summary: `account, ${current(account.states).status}`, subject: () => accountView(account) };
    }
  },
  *ASSET(view) {
    for (const account of accounts(view)) {
      yield null;
      for (const asset of account.assets.toReversed()) {
        const id = assetId(account.id, asset.asset);
        const subject = () => assetSubject(asset, account);
        yield { on: 'ASSET', id, at: account.createdAt, summary: `${asset.asset} of account ${account.id}`, subject };
      }
    }
  },
  *REQUEST(view, entries) {
    for (const entry of entries('REQUEST')) {
      if (entry.kind !== 'REQUEST' || entry.operationId === null || entry.at === null || isWithoutWorld(entry)) {
        yield null;
        continue;
      }
      const { id, at, operationId, method, path, headers } = entry;
      const query = Object.fromEntries(Object.entries(entry.query).map(([name, value]) => [name, [value].flat()[0]]));
      const subject = () => ({ operationId, method, path, query, headers, resource: { age: resourceAgeMs(view, path, at) } });
      const isRejected = (entry.response?.originalStatus ?? 0) >= 400 ? { isRejected: true as const } : {};
      yield { on: 'REQUEST', id, at, summary: `${method} ${path}`, subject, ...isRejected };
    }
  },
  *DELIVERY(view, entries) {
    for (const entry of entries('ATTEMPT')) {
      // Copies, and events that the API does not define, are sent without looking at rules.
      if (entry.kind !== 'ATTEMPT' || entry.at === null || entry.attemptKind === 'DUPLICATE' || !isDefinedEvent(entry.eventType)) {
        yield null;
        continue;
      }
      const { id, at, messageId, eventType, subscriptionId, url, resourceId, attemptKind: kind, number: attempt, body } = entry;
      const attemptsAgain = kind === 'RETRY' ? attempt - 1 : 0;
      const retryAttempts = view.get('executionLogs', id)?.retryAttempts ?? attemptsAgain;
      const facts = { messageId, eventType, subscriptionId, url, resourceId, kind, attempt, retryAttempts };
      const subject = () => ({ ...facts, payload: jsonOf(body) });
      yield { on: 'DELIVERY', id, at, summary: `${eventType} to ${url}`, subject };
    }
  },
};

/** Whether a request was rejected because of its token. No rule was tested for it. */
const isWithoutWorld = ({ code, response }: Extract<RecordEntry, { kind: 'REQUEST' }>) =>
  response?.ruleId === null && (code === 'INVALID_ACCESS_TOKEN' || code === 'EXPIRED_ACCESS_TOKEN');

const accounts = (view: View): Iterable<AccountRecord> => view.list('accounts').walk(-1, null);
