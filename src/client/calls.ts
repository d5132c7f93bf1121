// Written by npm run openapi from the routes in src/contract/control. Do not edit.
import { answered, defined, type CallOptions, type Control } from './caller.js';
import { Paged, type ListQuery } from './paged.js';
import type {
  Account,
  AccountWithBalances,
  ActiveScenario,
  AmountValue,
  AssetCode,
  Beneficiary,
  ClientInfo,
  ClientRequest,
  Clock,
  CountedList,
  Delivery,
  DeliveryDetail,
  ExpectedFinding,
  Exploration,
  Fault,
  FindingRulePattern,
  InboxMessage,
  InboxResponses,
  LedgerEntry,
  Operation,
  PaymentInstruction,
  Probe,
  Quote,
  ReasonRequest,
  RecordedEntry,
  RotatedCredentials,
  RotationGrace,
  SandboxDocument,
  ScenarioCheck,
  ScenarioTrials,
  Scenarios,
  Segment,
  Settings,
  SettingsRequest,
  SignatureCheck,
  SignatureRequest,
  Snapshot,
  StateDifferences,
  StateDocument,
  Status,
  Subscription,
  Timers,
  Ubo,
  Verified,
  VerifyRequest,
  Why,
  WorldDescription,
} from './types.js';

/** The requests of the handle `sandbox` with one method each. */
export abstract class SandboxCalls {
  protected readonly client: Control;

  constructor(client: Control) {
    this.client = client;
  }

  /**
   * Returns the version and status of the sandbox. Version, addresses and scenario files. Needs no token. If a control token is configured,
   * a request without it gets only `version` and `auth`.
   */
  status({ signal = null }: CallOptions = {}): Promise<Status> {
    return answered(this.client.GET('/_sandbox', { signal }));
  }

  /**
   * Lists all scenarios. If a file has errors, its previous version stays active, and no world can select its scenario until the errors are
   * fixed. Changed files are read again automatically.
   */
  scenarios({ signal = null }: CallOptions = {}): Promise<Scenarios> {
    return answered(this.client.GET('/_sandbox/scenarios', { signal }));
  }

  /**
   * Checks a scenario file without loading it. Returns the errors with line and column, as when the file is loaded, or the rules of the
   * file. Changes nothing.
   */
  checkScenario(text: string, file?: string, { signal = null }: CallOptions = {}): Promise<ScenarioCheck> {
    return answered(this.client.POST('/_sandbox/scenarios/check', { body: { text, ...defined({ file }) }, signal }));
  }
}

/** The requests of the handle `world` with one method each. */
export abstract class WorldCalls {
  readonly name: string;
  protected readonly client: Control;

  constructor(client: Control, name: string) {
    this.client = client;
    this.name = name;
  }

  /** Returns a world. The world of this name, with its credentials. @throws SandboxError RESOURCE_NOT_FOUND */
  get({ signal = null }: CallOptions = {}): Promise<WorldDescription> {
    return answered(this.client.GET('/_sandbox/worlds/{worldName}', { params: { path: { worldName: this.name } }, signal }));
  }

  /**
   * Changes the client secret of a world. Makes a new client secret. The present one stays valid for `grace`, and at most two are valid at a
   * time. Tokens that were issued with a secret end with it. Until the former secret ends, it signs webhooks; the header `webhook-signature`
   * of Standard Webhooks then also has a signature of the new one. A partner may call this with its present secret only. @throws
   * SandboxError RESOURCE_NOT_FOUND, NOT_PERMITTED
   */
  rotateCredentials(grace?: RotationGrace, { signal = null }: CallOptions = {}): Promise<RotatedCredentials> {
    return answered(
      this.client.POST('/_sandbox/worlds/{worldName}/credentials', {
        params: { path: { worldName: this.name } },
        body: defined({ grace }),
        signal,
      }),
    );
  }

  /**
   * Returns an access token for the payments API. Issues a token of the world as `POST /api/oauth/client/token` does, but faults and rules
   * do not apply, and it does not count as a request of the client.
   */
  async accessToken({ signal = null }: CallOptions = {}): Promise<string> {
    return (await answered(this.client.POST('/_sandbox/token', { signal }))).accessToken;
  }

  /** Lists ledger entries. The double-entry ledger of a world: each settled movement with its postings, which add up to zero in every asset. */
  ledger(query: ListQuery = {}): Paged<LedgerEntry> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/ledger', { params: { query: page }, signal })));
  }

  /** Lists quotes. All quotes of a world, newest first, each with the operation that used it. */
  quotes(query: ListQuery = {}): Paged<Quote> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/quotes', { params: { query: page }, signal })));
  }

  /** Lists operations. All operations of a world, newest first, as in the public API. */
  operations(query: ListQuery = {}): Paged<Operation> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/operations', { params: { query: page }, signal })));
  }

  /** Lists the accounts of a world. All accounts of a world, newest first, as in the public API. */
  accounts(query: ListQuery = {}): Paged<Account> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/accounts', { params: { query: page }, signal })));
  }

  /** Lists beneficiaries. All beneficiaries of a world, newest first, as in the public API. */
  beneficiaries(query: ListQuery = {}): Paged<Beneficiary> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/beneficiaries', { params: { query: page }, signal })));
  }

  /**
   * Lists uploaded documents. All documents of a world, newest first, with the results of their reviews. The public API does not show
   * documents.
   */
  documents(query: ListQuery = {}): Paged<SandboxDocument> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/documents', { params: { query: page }, signal })));
  }

  /** Lists the subscriptions of a world. All webhook subscriptions of a world, newest first, as in the public API. */
  subscriptions(query: ListQuery = {}): Paged<Subscription> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/subscriptions', { params: { query: page }, signal })));
  }

  /** Counts the items of a list. The number of all items that match, on all pages of the list. */
  async count(list: CountedList, filters?: string, { signal = null }: CallOptions = {}): Promise<number> {
    return (await answered(this.client.GET('/_sandbox/counts/{list}', { params: { path: { list }, query: defined({ filters }) }, signal })))
      .total;
  }

  /**
   * Lists webhook deliveries. All deliveries of a world, newest first, with their status. A delivery is one event for one subscription. The
   * execution logs of the subscription contain the attempts.
   */
  deliveries(query: ListQuery = {}): Paged<Delivery> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/deliveries', { params: { query: page }, signal })));
  }

  /**
   * Checks the signatures of a webhook for differences. Use this if your endpoint rejects valid webhooks. Send the webhook that it received
   * and the secret that it uses. The check compares them with the stored deliveries of the world to distinguish a changed body from a wrong
   * secret, and recognises usual mistakes in a signature that you computed. Changes nothing.
   */
  checkSignature(webhook: SignatureRequest, { signal = null }: CallOptions = {}): Promise<SignatureCheck> {
    return answered(this.client.POST('/_sandbox/signatures/check', { body: webhook, signal }));
  }

  /** Lists the faults of a world. The active faults, and how often each was injected. */
  async faults({ signal = null }: CallOptions = {}): Promise<Fault[]> {
    return (await answered(this.client.GET('/_sandbox/faults', { signal }))).data;
  }

  /** Lists the snapshots of a world. The snapshots that you can restore, each with its world time. */
  async snapshots({ signal = null }: CallOptions = {}): Promise<Snapshot[]> {
    return (await answered(this.client.GET('/_sandbox/snapshots', { signal }))).data;
  }

  /**
   * Deletes the findings and the coverage of a world. Also deletes the data of the rules, the announced misuses and the covered items, as if
   * the client had sent nothing so far.
   */
  async clearFindings({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/findings', { signal }));
  }

  /**
   * Announces a misuse that a test makes on purpose. The next findings of the rule, or of the rules that match a pattern, are EXPECTED and
   * do not fail a run. The announcement is valid until the present test ends or begins again. The list of findings shows announced misuses
   * that did not occur.
   */
  expectFinding(rule: FindingRulePattern, count?: number, { signal = null }: CallOptions = {}): Promise<ExpectedFinding> {
    return answered(this.client.POST('/_sandbox/findings/expect', { body: { rule, ...defined({ count }) }, signal }));
  }

  /**
   * Stores the result of an exploration. The client package and the command `explore` send their result, which the report and the console
   * show.
   */
  putExploration(result: Exploration, { signal = null }: CallOptions = {}): Promise<Exploration> {
    return answered(this.client.PUT('/_sandbox/exploration', { body: result, signal }));
  }

  /** Returns the result of the latest exploration. The result is in memory and is lost on restart. @throws SandboxError RESOURCE_NOT_FOUND */
  exploration({ signal = null }: CallOptions = {}): Promise<Exploration> {
    return answered(this.client.GET('/_sandbox/exploration', { signal }));
  }

  /** Names the client that uses a world. Reports show the client. The sandbox stores it in memory only, and keeps it after a reset. */
  nameClient(client: ClientRequest, { signal = null }: CallOptions = {}): Promise<ClientInfo> {
    return answered(this.client.PUT('/_sandbox/client', { body: client, signal }));
  }

  /**
   * Explains why a resource is in its present state. Takes any id that the API or the control API shows: of a resource, quote, subscription,
   * webhook message, attempt, ledger entry, request, fault, inbox message, timer or finding, or an idempotency key. Ids of earlier
   * generations are found as long as their requests are recorded.
   */
  why(id: string, { signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: id } }, signal }));
  }

  /** Marks the end of a test. Later requests belong to no test. Has no effect if no test is in progress. */
  async endTest({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/test', { signal }));
  }
}

/** The requests of the handle `clock` with one method each. */
export abstract class ClockCalls {
  protected readonly client: Control;

  constructor(client: Control) {
    this.client = client;
  }

  /** Returns the clock of a world. The time of the world, whether the clock runs automatically, and the pending timers. */
  get({ signal = null }: CallOptions = {}): Promise<Clock> {
    return answered(this.client.GET('/_sandbox/clock', { signal }));
  }

  /** Lists pending timers. The first 100 timers of a world in the order in which they become due, with the effect of each. */
  timers({ signal = null }: CallOptions = {}): Promise<Timers> {
    return answered(this.client.GET('/_sandbox/timers', { signal }));
  }
}

/** The requests of the handle `operation` with one method each. */
export abstract class OperationCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Moves an operation to PROCESSING; from ON_HOLD or ACTION_REQUIRED, resume it. The next scheduled scenario step is dropped. Later steps
   * still run. @throws SandboxError INVALID_STATUS_CHANGE
   */
  process(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Operation> {
    return answered(
      this.client.POST('/_sandbox/operations/{operationId}/process', {
        params: { path: { operationId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Settles an operation, through PROCESSING. Books the money as a normal settlement does, even if this overdraws the account. A deposit is
   * first paid in full. No further scenario step runs. @throws SandboxError INVALID_STATUS_CHANGE
   */
  complete(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Operation> {
    return answered(
      this.client.POST('/_sandbox/operations/{operationId}/complete', {
        params: { path: { operationId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Ends an operation as FAILED. Allowed in any status that is not final. Books no money. No further scenario step runs. @throws
   * SandboxError INVALID_STATUS_CHANGE
   */
  fail(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Operation> {
    return answered(
      this.client.POST('/_sandbox/operations/{operationId}/fail', {
        params: { path: { operationId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /** Puts an operation on hold. No scenario step runs until the operation is resumed. @throws SandboxError INVALID_STATUS_CHANGE */
  hold(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Operation> {
    return answered(
      this.client.POST('/_sandbox/operations/{operationId}/hold', {
        params: { path: { operationId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Stops an operation until the customer acts. No scenario step runs until the operation is resumed. @throws SandboxError
   * INVALID_STATUS_CHANGE
   */
  requireAction(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Operation> {
    return answered(
      this.client.POST('/_sandbox/operations/{operationId}/require-action', {
        params: { path: { operationId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Resumes an operation from ON_HOLD or ACTION_REQUIRED. The status becomes PROCESSING. The next allowed scenario step is scheduled again.
   * @throws SandboxError INVALID_STATUS_CHANGE
   */
  resume(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Operation> {
    return answered(
      this.client.POST('/_sandbox/operations/{operationId}/resume', {
        params: { path: { operationId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Takes the next step of the scenario now. Takes the step before it is due, with the reason from the scenario. The later steps keep their
   * delays. @throws SandboxError INVALID_STATUS_CHANGE
   */
  next(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Operation> {
    return answered(
      this.client.POST('/_sandbox/operations/{operationId}/next', {
        params: { path: { operationId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }
}

/** The requests of the handle `account` with one method each. */
export abstract class AccountCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Verifies an account: satisfy its requirements and approve its owners. The account moves through REVIEWING to OPENING. The scenario
   * decides how its assets open. @throws SandboxError INVALID_STATUS_CHANGE
   */
  open(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/open', {
        params: { path: { accountId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Activates an account and its assets. Satisfies all requirements and approves all owners. The account passes through every status up to
   * ACTIVE, and ASSET_ACTIVATED is sent for each asset. @throws SandboxError INVALID_STATUS_CHANGE
   */
  activate(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/activate', {
        params: { path: { accountId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Rejects an account that is not active yet. The assets of the account are not opened. An ACTIVE account cannot be rejected; close it
   * instead. @throws SandboxError INVALID_STATUS_CHANGE
   */
  reject(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/reject', {
        params: { path: { accountId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Closes an active account. The account can no longer be used in operations. Operations in progress fail with ACCOUNT_NOT_ACTIVE when they
   * settle. @throws SandboxError INVALID_STATUS_CHANGE
   */
  close(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/close', {
        params: { path: { accountId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Changes the segment of a company account. Possible while the account is ACTION_REQUIRED or REVIEWING. Its requirements become those of
   * the new segment: requirements that both segments have stay, other documents of the company are removed or added. @throws SandboxError
   * ACCOUNT_NOT_MODIFIABLE
   */
  segment(segment: Segment, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.PUT('/_sandbox/accounts/{accountId}/segment', { params: { path: { accountId: this.id } }, body: { segment }, signal }),
    );
  }

  /** Returns an account with its balances. The account as in the public API, with its ledger balance in each asset. */
  get({ signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    return answered(this.client.GET('/_sandbox/accounts/{accountId}', { params: { path: { accountId: this.id } }, signal }));
  }

  /**
   * Credits an account. Books the amount immediately against the ledger account `control`, without an operation and events. Reports do not
   * include it. The account must have the asset. @throws SandboxError INVALID_AMOUNT_PRECISION, ASSET_NOT_ENABLED
   */
  credit(value: AmountValue, asset: AssetCode, { signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/credit', {
        params: { path: { accountId: this.id } },
        body: { amount: { value, asset } },
        signal,
      }),
    );
  }

  /**
   * Debits an account, even beyond its balance. Books the amount immediately against the ledger account `control`, without an operation and
   * events. Reports do not include it. The account must have the asset. @throws SandboxError INVALID_AMOUNT_PRECISION, ASSET_NOT_ENABLED
   */
  debit(value: AmountValue, asset: AssetCode, { signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/debit', {
        params: { path: { accountId: this.id } },
        body: { amount: { value, asset } },
        signal,
      }),
    );
  }
}

/** The requests of the handle `asset` with one method each. */
export abstract class AssetCalls {
  readonly accountId: string;
  readonly code: AssetCode;
  protected readonly client: Control;

  constructor(client: Control, accountId: string, code: AssetCode) {
    this.client = client;
    this.accountId = accountId;
    this.code = code;
  }

  /**
   * Activates an asset; from FROZEN, unfreeze it. The account must be OPENING or ACTIVE. ASSET_ACTIVATED is sent the first time that the
   * asset becomes active. The account becomes ACTIVE with its first active asset. @throws SandboxError INVALID_STATUS_CHANGE
   */
  activate(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/assets/{asset}/activate', {
        params: { path: { accountId: this.accountId, asset: this.code } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Fails the opening of an asset. Only an ONBOARDING asset can fail. If all assets have failed, the account is rejected. @throws
   * SandboxError INVALID_STATUS_CHANGE
   */
  fail(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/assets/{asset}/fail', {
        params: { path: { accountId: this.accountId, asset: this.code } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Freezes an active asset. New operations with the asset are rejected with ASSET_NOT_ENABLED. Operations in progress fail with that code
   * when they settle. @throws SandboxError INVALID_STATUS_CHANGE
   */
  freeze(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/assets/{asset}/freeze', {
        params: { path: { accountId: this.accountId, asset: this.code } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /** Activates a frozen asset again. The asset can be used in operations again. @throws SandboxError INVALID_STATUS_CHANGE */
  unfreeze(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/assets/{asset}/unfreeze', {
        params: { path: { accountId: this.accountId, asset: this.code } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Deactivates an asset permanently. The balance of the account in this asset stays in the ledger. @throws SandboxError
   * INVALID_STATUS_CHANGE
   */
  deactivate(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(
      this.client.POST('/_sandbox/accounts/{accountId}/assets/{asset}/deactivate', {
        params: { path: { accountId: this.accountId, asset: this.code } },
        body: defined({ reason }),
        signal,
      }),
    );
  }
}

/** The requests of the handle `beneficiary` with one method each. */
export abstract class BeneficiaryCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Sets a beneficiary to APPROVED. A pending payment instruction of the beneficiary gets the same status. An instruction that was already
   * reviewed does not change. @throws SandboxError INVALID_STATUS_CHANGE
   */
  approve(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Beneficiary> {
    return answered(
      this.client.POST('/_sandbox/beneficiaries/{beneficiaryId}/approve', {
        params: { path: { beneficiaryId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Sets a beneficiary to REJECTED. A pending payment instruction of the beneficiary gets the same status. An instruction that was already
   * reviewed does not change. @throws SandboxError INVALID_STATUS_CHANGE
   */
  reject(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Beneficiary> {
    return answered(
      this.client.POST('/_sandbox/beneficiaries/{beneficiaryId}/reject', {
        params: { path: { beneficiaryId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }
}

/** The requests of the handle `paymentInstruction` with one method each. */
export abstract class PaymentInstructionCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Ends the review of a payment instruction as APPROVED. Sends the event of the status. The beneficiary is approved with its first approved
   * instruction, and rejected if its only instruction is rejected. @throws SandboxError INVALID_STATUS_CHANGE
   */
  approve(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<PaymentInstruction> {
    return answered(
      this.client.POST('/_sandbox/payment-instructions/{paymentInstructionId}/approve', {
        params: { path: { paymentInstructionId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Ends the review of a payment instruction as REJECTED. Sends the event of the status. The beneficiary is approved with its first approved
   * instruction, and rejected if its only instruction is rejected. @throws SandboxError INVALID_STATUS_CHANGE
   */
  reject(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<PaymentInstruction> {
    return answered(
      this.client.POST('/_sandbox/payment-instructions/{paymentInstructionId}/reject', {
        params: { path: { paymentInstructionId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }
}

/** The requests of the handle `document` with one method each. */
export abstract class DocumentCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Ends the review of a document as APPROVED. The requirement of the document moves to `satisfied`, or to `errors`; then another upload is
   * possible. @throws SandboxError INVALID_STATUS_CHANGE
   */
  approve(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<SandboxDocument> {
    return answered(
      this.client.POST('/_sandbox/documents/{documentId}/approve', {
        params: { path: { documentId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }

  /**
   * Ends the review of a document as REJECTED. The requirement of the document moves to `satisfied`, or to `errors`; then another upload is
   * possible. @throws SandboxError INVALID_STATUS_CHANGE
   */
  reject(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<SandboxDocument> {
    return answered(
      this.client.POST('/_sandbox/documents/{documentId}/reject', {
        params: { path: { documentId: this.id } },
        body: defined({ reason }),
        signal,
      }),
    );
  }
}

/** The requests of the handle `ubo` with one method each. */
export abstract class UboCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Ends the review of a beneficial owner as APPROVED. If the owner is rejected while the account is being verified, the account is rejected
   * too. @throws SandboxError INVALID_STATUS_CHANGE
   */
  approve(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Ubo> {
    return answered(
      this.client.POST('/_sandbox/ubos/{uboId}/approve', { params: { path: { uboId: this.id } }, body: defined({ reason }), signal }),
    );
  }

  /**
   * Ends the review of a beneficial owner as REJECTED. If the owner is rejected while the account is being verified, the account is rejected
   * too. @throws SandboxError INVALID_STATUS_CHANGE
   */
  reject(reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Ubo> {
    return answered(
      this.client.POST('/_sandbox/ubos/{uboId}/reject', { params: { path: { uboId: this.id } }, body: defined({ reason }), signal }),
    );
  }
}

/** The requests of the handle `quote` with one method each. */
export abstract class QuoteCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Expires a quote now. New operations with the quote are rejected with QUOTE_EXPIRED. A used quote cannot expire. @throws SandboxError
   * INVALID_STATUS_CHANGE
   */
  expire({ signal = null }: CallOptions = {}): Promise<Quote> {
    return answered(this.client.POST('/_sandbox/quotes/{quoteId}/expire', { params: { path: { quoteId: this.id } }, signal }));
  }
}

/** The requests of the handle `delivery` with one method each. */
export abstract class DeliveryCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Returns a delivery with all attempts. The requests, responses and injected faults, and when the next attempt is due. Fields are null if
   * the recording was evicted, or if recording is off.
   */
  get({ signal = null }: CallOptions = {}): Promise<DeliveryDetail> {
    return answered(this.client.GET('/_sandbox/deliveries/{deliveryId}', { params: { path: { deliveryId: this.id } }, signal }));
  }

  /** Resends a delivery in any status. The message id and the bytes stay the same. There are no retries. */
  resend({ signal = null }: CallOptions = {}): Promise<Delivery> {
    return answered(this.client.POST('/_sandbox/deliveries/{deliveryId}/resend', { params: { path: { deliveryId: this.id } }, signal }));
  }
}

/** The requests of the handle `subscription` with one method each. */
export abstract class SubscriptionCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /**
   * Deletes a subscription with its deliveries and logs. The public API has no such operation. Attempts in progress end normally; nothing
   * more is sent.
   */
  async delete({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(
      this.client.DELETE('/_sandbox/subscriptions/{subscriptionId}', { params: { path: { subscriptionId: this.id } }, signal }),
    );
  }

  /**
   * Tests the connection to the endpoint of a subscription. Checks from the sandbox whether the URL is allowed, the host name resolves, the
   * port is open and the certificate is valid. The sandbox closes the connection without sending a request.
   */
  probe({ signal = null }: CallOptions = {}): Promise<Probe> {
    return answered(
      this.client.POST('/_sandbox/subscriptions/{subscriptionId}/probe', { params: { path: { subscriptionId: this.id } }, signal }),
    );
  }
}

/** The requests of the handle `inbox` with one method each. */
export abstract class InboxCalls {
  readonly name: string;
  protected readonly client: Control;

  constructor(client: Control, name: string) {
    this.client = client;
    this.name = name;
  }

  /**
   * Lists the messages of an inbox. A world stores at most 2,000 messages and 16 Mi characters. Beyond that, the oldest messages of the
   * fullest inbox are deleted, those without a valid signature first.
   */
  messages(query: ListQuery = {}): Paged<InboxMessage> {
    return new Paged(query, (page, signal) =>
      answered(
        this.client.GET('/_sandbox/inbox/{inboxName}/messages', { params: { path: { inboxName: this.name }, query: page }, signal }),
      ),
    );
  }

  /**
   * Returns the next responses of an inbox. The remaining items of the configured list. `times` decreases with each message. If the list is
   * empty, the inbox responds with 200.
   */
  responses({ signal = null }: CallOptions = {}): Promise<InboxResponses> {
    return answered(this.client.GET('/_sandbox/inbox/{inboxName}/responses', { params: { path: { inboxName: this.name } }, signal }));
  }
}

/** The requests of the handle `fault` with one method each. */
export abstract class FaultCalls {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /** Deletes a fault. The fault is no longer injected. Its earlier effects stay. @throws SandboxError RESOURCE_NOT_FOUND */
  async remove({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/faults/{faultId}', { params: { path: { faultId: this.id } }, signal }));
  }
}

/** The requests of the handle `snapshot` with one method each. */
export abstract class SnapshotCalls {
  readonly name: string;
  protected readonly client: Control;

  constructor(client: Control, name: string) {
    this.client = client;
    this.name = name;
  }

  /** Restores a snapshot. Restores the complete state, including pending timers. The clock continues from the time of the snapshot. */
  restore({ signal = null }: CallOptions = {}): Promise<Snapshot> {
    return answered(
      this.client.POST('/_sandbox/snapshots/{snapshotName}/restore', { params: { path: { snapshotName: this.name } }, signal }),
    );
  }

  /** Deletes a snapshot. The world does not change. */
  async delete({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/snapshots/{snapshotName}', { params: { path: { snapshotName: this.name } }, signal }));
  }
}

/** The requests of the handle `requests` with one method each. */
export abstract class RequestsCalls {
  protected readonly client: Control;

  constructor(client: Control) {
    this.client = client;
  }

  /** Returns a recorded request, webhook attempt or test marker. Finds an entry in any generation, including unattributed requests. */
  get(id: string, { signal = null }: CallOptions = {}): Promise<RecordedEntry> {
    return answered(this.client.GET('/_sandbox/requests/{requestId}', { params: { path: { requestId: id } }, signal }));
  }

  /** Deletes the recorded requests of a world. Nothing else changes: the effects of the requests stay, and idempotency keys stay used. */
  async clear({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/requests', { signal }));
  }

  /**
   * Verifies recorded requests. Counts recorded entries, or searches for a sequence of them, and waits for up to the given time. If the
   * expectation does not hold, fails with VERIFICATION_FAILED: the message has the expected, the received and the most similar entries. If
   * deciding entries were evicted or truncated, or requests are in progress, `details.reason` is INCONCLUSIVE, and `details.remedy` says
   * what to do. @throws SandboxError VERIFICATION_FAILED
   */
  verify(expected: VerifyRequest, { signal = null }: CallOptions = {}): Promise<Verified> {
    return answered(this.client.POST('/_sandbox/requests/verify', { body: expected, signal }));
  }
}

/** The requests of the handle `scenario` with one method each. */
export abstract class ScenarioCalls {
  protected readonly client: Control;

  constructor(client: Control) {
    this.client = client;
  }

  /**
   * Returns the scenario of a world, with the hits of its rules. The rules of the scenario and of those that it extends, in matching order,
   * and how often each has matched. @throws SandboxError SCENARIO_INVALID
   */
  get({ signal = null }: CallOptions = {}): Promise<ActiveScenario> {
    return answered(this.client.GET('/_sandbox/scenario', { signal }));
  }

  /**
   * Tries a scenario on past requests, webhooks and resources. Returns the rule that would have applied to each recent request, webhook
   * attempt and resource, as if the scenario had been set before the oldest of them. Resources are tested in their present state. Faults and
   * rate limits are ignored. Changes nothing.
   */
  try(text: string, file?: string, { signal = null }: CallOptions = {}): Promise<ScenarioTrials> {
    return answered(this.client.POST('/_sandbox/scenario/trial', { body: { text, ...defined({ file }) }, signal }));
  }
}

/** The requests of the handle `settings` with one method each. */
export abstract class SettingsCalls {
  protected readonly client: Control;

  constructor(client: Control) {
    this.client = client;
  }

  /**
   * Returns the settings of a world. All settings with their present values: from an earlier PUT, otherwise from the scenario, otherwise
   * from the fixtures.
   */
  get({ signal = null }: CallOptions = {}): Promise<Settings> {
    return answered(this.client.GET('/_sandbox/settings', { signal }));
  }

  /**
   * Changes settings of a world. The given values override those of the scenario, which override those of the fixtures. Absent settings do
   * not change. As in every PUT of the control API, fields that only the GET returns are ignored, so its response can be sent back.
   */
  set(settings: SettingsRequest, { signal = null }: CallOptions = {}): Promise<Settings> {
    return answered(this.client.PUT('/_sandbox/settings', { body: settings, signal }));
  }
}

/** The requests of the handle `state` with one method each. */
export abstract class StateCalls {
  protected readonly client: Control;

  constructor(client: Control) {
    this.client = client;
  }

  /**
   * Exports a world as one document. The complete state of the world. You can store it, edit it, or import it into another world. At most
   * 512 MiB. @throws SandboxError PAYLOAD_TOO_LARGE
   */
  export({ signal = null }: CallOptions = {}): Promise<StateDocument> {
    return answered(this.client.GET('/_sandbox/state', { signal }));
  }

  /**
   * Replaces the state of a world with an exported document. The world keeps its name, credentials, customer and snapshots. References and
   * the balance of the ledger are validated. Requests and deliveries in progress are dropped. Attempts that are pending in the document are
   * sent.
   */
  import(state: StateDocument, { signal = null }: CallOptions = {}): Promise<StateDocument> {
    return answered(this.client.PUT('/_sandbox/state', { body: state, signal }));
  }

  /**
   * Compares two worlds or snapshots. Returns the rows that were added, removed and changed between two states: snapshots of this world, or
   * the present states of worlds. With several nodes, only worlds on the node of this world can be compared.
   */
  differences(from: string, to?: string, { signal = null }: CallOptions = {}): Promise<StateDifferences> {
    return answered(this.client.GET('/_sandbox/state/differences', { params: { query: { from, ...defined({ to }) } }, signal }));
  }
}
