import { hintIds, ruleIds, type RuleId } from '../../../contract/control/analysis/rule-ids.js';
import type { Rule } from './rule.js';
import { expiredReused } from './rules/credentials/expired-reused.js';
import { inUrl } from './rules/credentials/in-url.js';
import { perRequest } from './rules/credentials/per-request.js';
import { sentElsewhere } from './rules/credentials/sent-elsewhere.js';
import { keyReused } from './rules/idempotency/key-reused.js';
import { lostResponseAbandoned } from './rules/idempotency/lost-response-abandoned.js';
import { lostResponseNewKey } from './rules/idempotency/lost-response-new-key.js';
import { newKeyAfter5xx } from './rules/idempotency/new-key-after-5xx.js';
import { retryAfterRetention } from './rules/idempotency/retry-after-retention.js';
import { implausibleData } from './rules/hints/implausible-data.js';
import { localWebhookUrl } from './rules/hints/local-webhook-url.js';
import { neverMade } from './rules/payments/never-made.js';
import { neverLearned } from './rules/payments/never-learned.js';
import { repeated } from './rules/payments/repeated.js';
import { noneAccepted } from './rules/webhooks/none-accepted.js';
import { pageUnfollowed } from './rules/hints/page-unfollowed.js';
import { polledAfterEnd, tightPolling } from './rules/hints/polling.js';
import { rateAssumed } from './rules/hints/rate-assumed.js';
import { sameBeneficiary } from './rules/hints/same-beneficiary.js';
import { tokenRenewedLate } from './rules/hints/token-renewed-late.js';
import { workBeforeResponse } from './rules/hints/work-before-response.js';
import { floatArtefact } from './rules/money/float-artefact.js';
import { jsonNumber } from './rules/money/json-number.js';
import { locale } from './rules/money/locale.js';
import { loop } from './rules/reading/loop.js';
import { reportGap } from './rules/reading/report-gap.js';
import { wrongScope } from './rules/reading/wrong-scope.js';
import { unknownField } from './rules/requests/unknown-field.js';
import { unknownParameter } from './rules/requests/unknown-parameter.js';
import { unknownRoute } from './rules/requests/unknown-route.js';
import { unknownVersion } from './rules/requests/unknown-version.js';
import { noBackoff } from './rules/retries/no-backoff.js';
import { notRetryable } from './rules/retries/not-retryable.js';
import { timeoutTooShort } from './rules/retries/timeout-too-short.js';
import { tooEarly } from './rules/retries/too-early.js';
import { knownStatusIgnored } from './rules/states/known-status-ignored.js';
import { quoteExpiredRetried } from './rules/states/quote-expired-retried.js';
import { unknownFields } from './rules/states/unknown-fields.js';
import { badSignatureAccepted } from './rules/webhooks/bad-signature-accepted.js';
import { duplicateFailed } from './rules/webhooks/duplicate-failed.js';
import { duplicateSubscription } from './rules/webhooks/duplicate-subscription.js';
import { eventRefused } from './rules/webhooks/event-refused.js';
import { genuineRefused } from './rules/webhooks/genuine-refused.js';
import { orderDependent } from './rules/webhooks/order-dependent.js';
import { redirected } from './rules/webhooks/redirected.js';
import { reserialised } from './rules/webhooks/reserialised.js';
import { slow } from './rules/webhooks/slow.js';

import { replayAsNew } from './rules/idempotency/replay-as-new.js';
import { weakKey } from './rules/idempotency/weak-key.js';
import { amountInMinorUnits } from './rules/money/minor-units.js';
import { afterFinalRefusal } from './rules/payments/after-final-refusal.js';
import { beneficiaryRecreated } from './rules/payments/beneficiary-recreated.js';
import { stampede } from './rules/credentials/stampede.js';
import { personalInUrl } from './rules/requests/personal-in-url.js';
import { localTime } from './rules/reading/local-time.js';
import { firstOnly } from './rules/reading/first-only.js';
import { equalPayments } from './rules/hints/equal-payments.js';
import { unverifiedEffect } from './rules/hints/unverified-effect.js';
import { quoteHoarding } from './rules/hints/quote-hoarding.js';
import { versionUnpinned } from './rules/hints/version-unpinned.js';
import { unknownTypeRefused } from './rules/webhooks/unknown-type-refused.js';

const all: readonly Rule[] = [
  replayAsNew,
  weakKey,
  amountInMinorUnits,
  afterFinalRefusal,
  neverMade,
  beneficiaryRecreated,
  stampede,
  personalInUrl,
  localTime,
  firstOnly,
  equalPayments,
  unverifiedEffect,
  quoteHoarding,
  versionUnpinned,
  unknownTypeRefused,
  repeated,
  neverLearned,
  noneAccepted,
  lostResponseNewKey,
  lostResponseAbandoned,
  keyReused,
  newKeyAfter5xx,
  retryAfterRetention,
  badSignatureAccepted,
  duplicateFailed,
  redirected,
  eventRefused,
  genuineRefused,
  reserialised,
  orderDependent,
  slow,
  duplicateSubscription,
  jsonNumber,
  floatArtefact,
  locale,
  expiredReused,
  perRequest,
  inUrl,
  sentElsewhere,
  tooEarly,
  noBackoff,
  notRetryable,
  timeoutTooShort,
  quoteExpiredRetried,
  knownStatusIgnored,
  unknownFields,
  unknownField,
  unknownParameter,
  unknownVersion,
  unknownRoute,
  reportGap,
  wrongScope,
  loop,
  pageUnfollowed,
  tightPolling,
  polledAfterEnd,
  sameBeneficiary,
  workBeforeResponse,
  tokenRenewedLate,
  localWebhookUrl,
  rateAssumed,
  implausibleData,
];

const byId = new Map(all.map((each) => [each.id, each]));

/** Returns the rule with this id. @throws Error if the list above does not have it */
export function ruleOf(id: RuleId): Rule {
  const rule = byId.get(id);
  if (!rule) throw new Error(`The list in src/analysis/project/findings/rules.ts has no rule ${id}.`);
  return rule;
}

/** The rules, ordered by the harm of breaking them. */
export const rules: readonly Rule[] = ruleIds.map(ruleOf);

/** The rules that only suggest improvements. */
export const hints: readonly Rule[] = hintIds.map(ruleOf);
