import { randomUUID } from 'node:crypto';
import { pixBeneficiary, withdrawalBody } from '../withdrawals.js';
import { files, uboRequest } from '../onboarding.js';
import type { ModelClient, ParsedResponse } from './client.js';

// oxlint-disable-next-line typescript/no-explicit-any -- responses of many shapes; other tests check the contract
type Json = any;

/** The environment of a journey. */
export interface JourneyEnvironment {
  /** Returns a number from 0 to 1 (exclusive). */
  chance(): number;
  /** Advances the clock of the world. */
  advance(by: string): Promise<void>;
  /** Returns the time of the world. */
  now(): Promise<Date>;
  readonly hook: string;
}

/** The business activities of a client. */
export class Business {
  readonly client: ModelClient;
  readonly #around: JourneyEnvironment;
  /** The last known state of the accounts. */
  #accounts = new Map<string, Json>();
  #approved: { id: string; paymentInstructions: { id: string }[] } | null = null;
  #requestKey: string = randomUUID();
  /** Number of registered payees, each of which is a different person. */
  #registered = 0;
  /** True while a requested subscription has not appeared in a list. */
  #isSubscribing = false;

  constructor(client: ModelClient, around: JourneyEnvironment) {
    this.client = client;
    this.#around = around;
  }

  /** All activities by name. */
  readonly deeds: Readonly<Record<string, () => Promise<unknown>>> = {
    look: () => this.walk(),
    payOut: () => this.payOut(),
    move: () => this.move(),
    swap: () => this.convert('createSwap', 'USD', {}),
    deposit: () => this.convert('createDeposit', 'BRL', { fundingInstruction: { rail: 'PIX_KEY' } }),
    register: () => this.register(),
    report: () => this.report(),
    subscribe: () => this.subscribe(),
    owners: () => this.owners(),
    documents: () => this.documents(),
    logs: () => this.logs(),
    mistake: () => this.mistake(),
  };

  /** Deletes the known state of the world. @param keepsRequests true to still retry requests without a response */
  forget(keepsRequests = false): void {
    if (!keepsRequests) this.client.forget();
    this.#accounts = new Map();
    this.#approved = null;
    this.#isSubscribing = false;
  }

  /** Reads all pages of the accounts. */
  async walk(): Promise<void> {
    const { habit } = this.client;
    if (habit === 'token.stampede') await this.client.stampede();
    const filters: Record<string, string> = this.#around.chance() < 0.3 ? { filters: 'currentState.status[ne]=CLOSED' } : {};
    if (habit === 'personal.in-url') filters['_taxId'] = '31415926590';
    if (habit === 'request.unknown-parameter') filters['filter'] = 'owner.type[eq]=COMPANY';
    let cursor: string | null = null;
    for (let page = 0; page < 8; page += 1) {
      const order = habit === 'page.wrong-scope' && page > 0 ? { sortOrder: 'ASCENDING' } : {};
      const response: ParsedResponse | null = await this.client.read('listAccounts', {
        query: { limit: '1', ...filters, ...order, ...(cursor === null ? {} : { cursor }) },
      });
      if (response?.status !== 200) return;
      for (const account of response.body.data) this.#accounts.set(account.id, account);
      const next: string | null = response.body.meta.nextCursor;
      if (next === null) return;
      if (habit !== 'page.loop' || cursor === null) cursor = next;
    }
  }

  /** Returns an account that, as far as the client knows, can use these assets. */
  async #payer(assets: readonly string[], other?: string): Promise<string | undefined> {
    if (this.#accounts.size === 0) await this.walk();
    const has = (account: Json, asset: string) => account.assets.some((each: Json) => each.asset === asset && each.status === 'ACTIVE');
    const isUsable = (account: Json) => account.currentState.status === 'ACTIVE' && assets.every((asset) => has(account, asset));
    return [...this.#accounts.values()].find((each) => each.id !== other && isUsable(each))?.id;
  }

  /** Reads the accounts again after a 422, because their statuses may have changed. */
  async #after(response: ParsedResponse | null): Promise<ParsedResponse | null> {
    if (response?.status === 422) await this.walk();
    return response;
  }

  async #priced(target: string): Promise<{ accountId: string; quoteId: string } | null> {
    const accountId = await this.#payer(['BRL', target]);
    if (accountId === undefined) return null;
    const sourceAmount = this.#amount();
    const response = await this.client.write('createQuote', { body: { accountId, sourceAsset: 'BRL', targetAsset: target, sourceAmount } });
    return response?.status === 201 ? { accountId, quoteId: response.body.id } : null;
  }

  /** Returns one of four amounts, because regular payments have equal amounts. Some amounts make a payment fail. */
  #amount(): string {
    const { habit } = this.client;
    if (habit === 'idempotency.replay-as-new') return '25.00';
    if (habit === 'payment.after-final-refusal') return '150.12';
    return ['150.00', '80.13', '25.00', '12.50'][Math.floor(this.#around.chance() * 4)]!;
  }

  async #quoted(target: string, act: (priced: { accountId: string; quoteId: string }) => Promise<ParsedResponse | null>): Promise<void> {
    for (let again = 0; again < 2; again += 1) {
      const priced = await this.#priced(target);
      if (!priced) return;
      if (this.#around.chance() < 0.15 || this.client.habit === 'quote.expired-retried') await this.#around.advance('PT31S');
      let response = await act(priced);
      if (response?.body?.code === 'QUOTE_EXPIRED' && this.client.habit === 'quote.expired-retried') response = await act(priced);
      await this.#after(response);
      if (response?.body?.code !== 'QUOTE_EXPIRED') return this.#follow(response);
    }
  }

  async #follow(response: ParsedResponse | null): Promise<void> {
    const { habit } = this.client;
    const isHasty = habit === 'payment.after-final-refusal';
    if (response?.status !== 201 || habit === 'outcome.never-learned' || (!isHasty && this.#around.chance() < 0.5)) return;
    await this.#around.advance(isHasty ? 'PT1M' : 'PT2S');
    await this.client.read('getOperation', { params: { operationId: response.body.id } });
  }

  async payOut(): Promise<void> {
    if (!this.#approved || this.client.habit === 'beneficiary.recreated') await this.register();
    const payee = this.#approved;
    if (!payee) return;
    await this.#quoted('BRL', ({ accountId, quoteId }) =>
      this.client.write('createWithdrawal', { body: withdrawalBody(accountId, quoteId, payee) }),
    );
  }

  async convert(operationId: 'createSwap' | 'createDeposit', target: string, more: object): Promise<void> {
    await this.#quoted(target, ({ accountId, quoteId }) => this.client.write(operationId, { body: { accountId, quoteId, ...more } }));
  }

  /** Transfers money between two accounts. */
  async move(): Promise<void> {
    const { habit } = this.client;
    const sourceAccountId = await this.#payer(['BRL']);
    const targetAccountId = await this.#payer(['BRL'], sourceAccountId);
    if (sourceAccountId === undefined || targetAccountId === undefined) return;
    const keepsKey = habit === 'idempotency.key-reused' || habit === 'idempotency.replay-as-new';
    const key = keepsKey ? this.#requestKey : this.client.newKey();
    const wrong: Partial<Record<string, unknown>> = {
      'money.json-number': 25,
      'money.float-artefact': String(0.1 + 0.2),
      'money.locale': '1.234,56',
      'payment.never-made': '1.234,56',
      'money.minor-units': '2500',
    };
    const value = wrong[habit ?? ''] ?? this.#amount();
    if (habit === 'money.minor-units') {
      const shown = { accountId: sourceAccountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '25.00' };
      await this.client.write('createQuote', { body: shown });
    }
    const body = { sourceAccountId, targetAccountId, amount: { value, asset: 'BRL' } };
    const response = await this.#after(await this.client.write('createTransfer', { body }, key));
    if (habit === 'idempotency.replay-as-new' && response?.status === 201) {
      await this.#around.advance('PT1M');
      await this.client.read('getOperation', { params: { operationId: response.body.id } });
    }
    if (habit !== 'idempotency.retry-after-retention') return;
    this.client.rest(25 * 3_600_000);
    await this.client.write('createTransfer', { body }, key);
  }

  /** Creates a beneficiary and waits until it is approved. */
  async register(): Promise<void> {
    this.#registered += 1;
    const name = this.#around.chance() < 0.4 ? { firstName: 'João' } : this.#around.chance() < 0.2 ? { lastName: 'Rejected' } : {};
    const data = this.client.habit === 'beneficiary.recreated' ? {} : { ...name, dateOfBirth: `${1940 + (this.#registered % 60)}-11-02` };
    const created = await this.client.write('createBeneficiary', { body: pixBeneficiary(data) });
    if (created?.status !== 201) return;
    if (this.client.habit === 'state.known-status-ignored') {
      this.#approved = created.body;
      const priced = await this.#priced('BRL');
      if (priced) await this.client.write('createWithdrawal', { body: withdrawalBody(priced.accountId, priced.quoteId, created.body) });
    }
    for (let look = 0; look < 3; look += 1) {
      await this.#around.advance('PT3S');
      const response = await this.client.read('getBeneficiary', { params: { beneficiaryId: created.body.id } });
      if (response?.body?.status === 'APPROVED') this.#approved = response.body;
      if (response?.body?.status !== 'PENDING_REVIEW') return;
    }
  }

  /** Requests a report about each of three consecutive days. */
  async report(): Promise<void> {
    if (this.client.habit === 'report.local-time') {
      await this.#around.advance('PT13S');
      // The wall clock in Brasília, three hours behind UTC.
      const endMs = (await this.#around.now()).getTime() - 3 * 3_600_000;
      const [periodStart, periodEnd] = [endMs - 86_400_000, endMs].map((ms) => new Date(ms).toISOString());
      await this.client.read('getReport', { query: { periodStart: periodStart!, periodEnd: periodEnd! } });
      return;
    }
    for (const day of [18, 19, 20]) {
      const isGapped = this.client.habit === 'report.gap';
      const periodEnd = isGapped ? `2026-11-${day}T23:59:59Z` : `2026-11-${day + 1}T00:00:00Z`;
      await this.client.read('getReport', { query: { periodStart: `2026-11-${day}T00:00:00Z`, periodEnd } });
    }
  }

  /** Subscribes the endpoint of the client if it is not subscribed. */
  async subscribe(): Promise<void> {
    const body = { url: this.#around.hook, includeAll: true, allowRetry: true };
    if (this.client.habit === 'webhook.duplicate-subscription') {
      await this.client.write('createSubscription', { body });
      await this.client.write('createSubscription', { body });
      return;
    }
    if (this.#isSubscribing) return;
    this.#isSubscribing = true;
    const response = await this.client.read('listSubscriptions', { query: { limit: '100' } });
    const isNeeded = response?.status === 200 && !response.body.data.some((each: Json) => each.url === body.url);
    const made = isNeeded ? await this.client.write('createSubscription', { body }) : response;
    this.#isSubscribing = made === null && isNeeded; // Only one subscription request at a time.
  }

  /** Returns the account in verification, in its current state. */
  async #onboarding(): Promise<Json> {
    await this.walk();
    return [...this.#accounts.values()].find((each) => each.currentState.status === 'ACTION_REQUIRED' && each.owner.type === 'COMPANY');
  }

  async owners(): Promise<void> {
    const account = await this.#onboarding();
    if (!account) return;
    const params = { accountId: account.id as string };
    const response = await this.client.write('createUbo', { params, body: uboRequest({ ownershipPercentage: null }) });
    if (response?.status !== 201) return;
    const ubo = { ...params, uboId: response.body.id as string };
    await this.client.write('updateUbo', { params: ubo, body: { name: 'Marina Lobo Prado' } });
    await this.client.read('getUbo', { params: ubo });
  }

  /** Uploads a requested document. */
  async documents(): Promise<void> {
    const account = await this.#onboarding();
    const due = account?.requirements.currentlyDue.find(
      (each: Json) => each.type === 'DOCUMENT' && each.requiredMetadata.length === 0 && !each.uboId,
    );
    if (!due) return;
    const form = new FormData();
    form.set('body', JSON.stringify({ documentType: due.documentType, holder: { type: 'ACCOUNT', referenceId: account.id } }));
    form.set('file', new Blob([files.pdf], { type: 'application/pdf' }), 'document.pdf');
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type')!;
    await this.client.write('uploadDocument', { raw: { bytes: new Uint8Array(await encoded.arrayBuffer()), type } });
  }

  /** Resends the newest failed attempt. */
  async logs(): Promise<void> {
    const subscriptions = await this.client.read('listSubscriptions');
    const subscriptionId: string | undefined = subscriptions?.body?.data?.[0]?.id;
    if (subscriptionId === undefined) return;
    const page: Record<string, string> = this.client.habit === 'page.first-only' ? { limit: '1' } : {};
    const response = await this.client.read('listExecutionLogs', {
      params: { subscriptionId },
      query: { filters: 'status[eq]=FAILED', ...page },
    });
    const executionLogId: string | undefined = response?.body?.data?.[0]?.id;
    if (executionLogId !== undefined) await this.client.write('resendExecutionLog', { params: { subscriptionId, executionLogId } });
  }

  /** Sends an invalid request, like a developer who makes a mistake. */
  async mistake(): Promise<void> {
    if (this.client.habit === 'request.unknown-route') await this.client.stray('GET', '/api/acounts');
    const body = { accountId: randomUUID(), sourceAsset: 'XXX', targetAsset: 'BRL', sourceAmount: '-1' };
    const times = this.client.habit === 'retry.not-retryable' ? 3 : 1;
    for (let time = 0; time < times; time += 1) await this.client.write('createQuote', { body });
  }
}
