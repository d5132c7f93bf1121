import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleIds, type RuleId } from '../../../contract/control/analysis/rule-ids.js';
import { inLength } from '../../../testing/long-run.js';
import { Traveller, type JourneyPlan } from '../../../testing/model-client/journey.js';
import { Stage } from '../../../testing/script-stage.js';
import { ruleOf } from './rules.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/** Number of consecutive journeys in one world. */
const inOneWorld = 20;

describe('a correct client', () => {
  const worlds = inLength(20, 10_000) / inOneWorld;

  it(
    `has no findings in ${worlds * inOneWorld} journeys with faults, resets and clock changes`,
    async () => {
      const accused: object[] = [];
      for (let world = 0; world < worlds; world += 1) {
        const traveller = await Traveller.start(stage, `well-${'x'.repeat(world % 2)}${world}`, null);
        for (let journey = 0; journey < inOneWorld; journey += 1) {
          const seed = world * inOneWorld + journey + 1;
          const found = await traveller.travel({ seed, habit: null, steps: 5 });
          if (found.length === 0) continue;
          // The next world begins, so that a long run reports every cause.
          accused.push({ journey: seed, findings: found });
          break;
        }
        await traveller.end();
      }
      expect(accused).toEqual([]);
    },
    inLength(180_000, 3_600_000),
  );
});

/** Returns a fault for the next transfer; `more` can change the number of transfers. */
const transfers = (effect: object, more: object = {}) => ({
  on: 'REQUEST',
  when: { operationId: 'createTransfer' },
  times: 1,
  effect,
  ...more,
});
const requested = (effect: object) => ({ on: 'DELIVERY', when: { eventType: 'OPERATION_REQUESTED' }, times: 1, effect });
const hooked = ['subscribe', 'move', 'move'];
/** The activities and faults in which a client shows each bad habit. */
const occasions: Partial<Record<RuleId, Pick<JourneyPlan, 'deeds' | 'faults'>>> = {
  'payment.repeated': { deeds: ['move'], faults: [transfers({ connectionReset: true }, { phase: 'after_commit' })] },
  'outcome.never-learned': { deeds: ['move'] },
  'webhook.none-accepted': { deeds: hooked },
  'idempotency.lost-response-new-key': {
    deeds: ['register'],
    faults: [
      {
        on: 'REQUEST',
        when: { operationId: 'createBeneficiary' },
        phase: 'after_commit',
        times: 1,
        effect: { connectionReset: true },
      },
    ],
  },
  'idempotency.lost-response-abandoned': { deeds: ['move'], faults: [transfers({ connectionReset: true }, { phase: 'after_commit' })] },
  'idempotency.key-reused': { deeds: ['move', 'move', 'move'] },
  'idempotency.new-key-after-5xx': { deeds: ['move'], faults: [transfers({ status: 503 })] },
  'idempotency.retry-after-retention': { deeds: ['move'] },
  'webhook.bad-signature-accepted': { deeds: hooked, faults: [requested({ corruptSignature: true })] },
  'webhook.duplicate-failed': { deeds: [...hooked, 'move'], faults: [requested({ duplicate: 1 })] },
  'webhook.redirected': { deeds: hooked },
  'webhook.event-refused': { deeds: hooked },
  'webhook.unknown-type-refused': { deeds: hooked, faults: [requested({ unknownEvent: true })] },
  'webhook.genuine-refused': { deeds: hooked },
  'webhook.reserialised': { deeds: ['subscribe', 'register', 'register', 'register', 'register'] },
  'webhook.order-dependent': { deeds: hooked, faults: [requested({ delay: '4s' })] },
  'webhook.slow': { deeds: hooked },
  'webhook.duplicate-subscription': { deeds: ['subscribe'] },
  'idempotency.weak-key': { deeds: ['move', 'move', 'move'] },
  'personal.in-url': { deeds: ['look'] },
  'beneficiary.recreated': { deeds: ['payOut', 'payOut', 'payOut'] },
  'payment.never-made': { deeds: ['move'] },
  'money.minor-units': { deeds: ['move'] },
  'money.json-number': { deeds: ['move'] },
  'money.float-artefact': { deeds: ['move'] },
  'money.locale': { deeds: ['move'] },
  'token.expired-reused': {
    deeds: ['look'],
    faults: [{ on: 'REQUEST', when: { operationId: 'listAccounts' }, times: 1, effect: { expireToken: true } }],
  },
  'token.per-request': { deeds: ['look', 'look', 'look'] },
  'secret.in-url': { deeds: ['look'] },
  'retry.too-early': { deeds: ['move'], faults: [transfers({ status: 429, retryAfter: '2s' })] },
  'timeout.too-short': { deeds: ['move'], faults: [transfers({ delay: '2s' }, { times: 3 })] },
  'idempotency.replay-as-new': { deeds: ['move', 'move'] },
  'payment.after-final-refusal': { deeds: ['payOut', 'payOut'] },
  'token.stampede': { deeds: ['look'] },
  'report.local-time': { deeds: ['report'] },
  'page.first-only': { deeds: ['subscribe', 'move', 'move', 'look', 'logs'] },
  'retry.no-backoff': { deeds: ['move'], faults: [transfers({ connectionReset: true }, { times: 5 })] },
  'retry.not-retryable': { deeds: ['mistake'] },
  'quote.expired-retried': { deeds: ['payOut'] },
  'state.known-status-ignored': { deeds: ['register'] },
  'response.unknown-fields': { deeds: ['move'], faults: [transfers({ unknownFields: true }, { phase: 'after_commit' })] },
  'request.unknown-field': { deeds: ['move'] },
  'request.unknown-parameter': { deeds: ['look'] },
  'request.unknown-route': { deeds: ['mistake'] },
  'report.gap': { deeds: ['report'] },
  'page.wrong-scope': { deeds: ['look'] },
  'page.loop': { deeds: ['look'] },
};

describe('a client with one bad habit', () => {
  it.each(ruleIds)('breaks %s and the rules that this rule implies, and no others', { timeout: 60_000 }, async (habit) => {
    const { implies = [] } = ruleOf(habit);
    const traveller = await Traveller.start(stage, `habit-${habit.replaceAll('.', '-')}`, habit);
    const all = new Set<string>();
    for (let seed = 1; seed <= 6; seed += 1) {
      const found = await traveller.travel({ seed, habit, steps: 4, ...occasions[habit] });
      for (const { rule } of found) all.add(rule);
      expect(found.filter(({ rule }) => rule !== habit && !implies.includes(rule))).toEqual([]);
      if (all.has(habit)) break;
    }
    expect([...all]).toContain(habit);
    await traveller.end();
  });
});
