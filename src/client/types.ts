// Written by npm run openapi from the routes in src/contract/control. Do not edit.
import type { components } from 'crossborder-sandbox/types/control';

type Schemas = components['schemas'];

/** An account of a company or a person, which holds one or more assets once it is verified. */
export type Account = Schemas['Account'];
/**
 * Status of an account: ACTION_REQUIRED while requirements are due, REVIEWING, OPENING while its assets are opened, ACTIVE with its first
 * active asset. An active account can become CLOSED; before that, it can become REJECTED. Both are final.
 */
export type AccountStatus = Schemas['AccountStatus'];
/** An account with its balances, which the public API does not show. */
export type AccountWithBalances = Schemas['AccountWithBalances'];
/** The scenario that a world uses now, with the hits of its rules. */
export type ActiveScenario = Schemas['ActiveScenario'];
/** The result of an advance of the clock. */
export type Advance = Schemas['Advance'];
/**
 * Amount in a request: a decimal number above zero as a string, with a decimal point and no sign. At most 15 digits before the point, and
 * at most the decimal places of its asset after it (2 or 6).
 */
export type AmountValue = Schemas['AmountValue'];
/** Code of a currency or stablecoin. Currencies have 2 decimal places; USDC, USDT, EURC and BRLT have 6. */
export type AssetCode = Schemas['AssetCode'];
/** A payee outside the service, with their payment instructions. */
export type Beneficiary = Schemas['Beneficiary'];
/** The client that uses a world. */
export type ClientInfo = Schemas['ClientInfo'];
/** The client that uses a world. */
export type ClientRequest = Schemas['ClientRequest'];
/** The time of a world, and its pending timers. */
export type Clock = Schemas['Clock'];
/** The last part of the path of a list. */
export type CountedList = Schemas['CountedList'];
/** The part of the API that the client of a world has covered. An item is covered only if the client has observed it. */
export type Coverage = Schemas['Coverage'];
/** The credentials of a client, to request access tokens. */
export type Credentials = Schemas['Credentials'];
/** The delivery of one event to one subscription. */
export type Delivery = Schemas['Delivery'];
/** The delivery of one event to one subscription, with all attempts. */
export type DeliveryDetail = Schemas['DeliveryDetail'];
/** A difference between the records of a client and the world. */
export type Difference = Schemas['Difference'];
/** An event to send now. */
export type EventRequest = Schemas['EventRequest'];
/**
 * Type of event: an operation was requested or ended, a payment instruction was created or reviewed, or an asset of an account was
 * activated.
 */
export type EventType = Schemas['EventType'];
/** An announced misuse, and how often it occurred. */
export type ExpectedFinding = Schemas['ExpectedFinding'];
/** The result of an exploration: the orders of events that break the client. */
export type Exploration = Schemas['Exploration'];
/** An active fault. `on` selects the variant. */
export type Fault = Schemas['Fault'];
/** A fault to inject. `on` selects the variant. */
export type FaultRequest = Schemas['FaultRequest'];
/** A rule for clients. `/docs/findings` has a section for each, with examples. */
export type FindingRule = Schemas['RuleId'];
/** A rule for clients, a group of rules such as `idempotency.*`, or `*` for all. */
export type FindingRulePattern = Schemas['RulePattern'];
/** The findings about the client of a world. */
export type Findings = Schemas['Findings'];
/** A request that an inbox received. */
export type InboxMessage = Schemas['InboxMessage'];
/** A response, and how often it is used. */
export type InboxResponse = Schemas['InboxResponse'];
/** The next responses of an inbox: each item in order, as often as its `times`. After them, the inbox responds with 200. */
export type InboxResponses = Schemas['InboxResponses'];
/** A scenario definition in a request, in the format of the scenario files. */
export type InlineScenario = Schemas['InlineScenario'];
/** A movement of money in the ledger of the sandbox. */
export type LedgerEntry = Schemas['LedgerEntry'];
/** A world in a list, with its use and the verdict on its client. */
export type ListedWorld = Schemas['ListedWorld'];
/** A webhook for a listener, which must respond to it. */
export type ListenedAttempt = Schemas['ListenedAttempt'];
/** The result of a webhook: a response or an error. */
export type ListenerAnswer = Schemas['ListenerAnswer'];
/** A world to create or replace; its name is in the path. */
export type NamedWorldRequest = Schemas['NamedWorldRequest'];
/** A movement of money: a withdrawal, transfer, swap or deposit (`intent.type`). It settles after the response to its creation. */
export type Operation = Schemas['Operation'];
/**
 * Status of an operation. It moves from REQUESTED through PROCESSING to COMPLETED or FAILED, which are final. ON_HOLD and ACTION_REQUIRED
 * interrupt PROCESSING. FAILED, ON_HOLD and ACTION_REQUIRED have a reason.
 */
export type OperationStatus = Schemas['OperationStatus'];
/** Position of a page in its list. */
export type PageMeta = Schemas['PageMeta'];
/** The person or company that pays a deposit. */
export type PayerRequest = Schemas['PayerRequest'];
/** Where a beneficiary receives money, and the result of its compliance review. */
export type PaymentInstruction = Schemas['PaymentInstruction'];
/** Whether the sandbox can reach the endpoint of a subscription. */
export type Probe = Schemas['Probe'];
/** A certification profile: the requirements for a client to be ready for production. */
export type Profile = Schemas['Profile'];
/** A quote with the operation that used it. */
export type Quote = Schemas['SandboxQuote'];
/** The reason for a forced transition, which clients will read. */
export type ReasonRequest = Schemas['ForcedReason'];
/** The records of a client. At least one of the three sections is needed. */
export type ReconcileRequest = Schemas['ReconcileRequest'];
/** The comparison of the records of a client with a world. */
export type Reconciliation = Schemas['Reconciliation'];
/** A recorded entry. `kind` selects the variant. */
export type RecordedEntry = Schemas['RecordEntry'];
/** A page of entries, or an HTTP archive if `format=har`. */
export type RecordedRequests = Schemas['RecordedRequests'];
/** A file that repeats the requests and webhook attempts in a world. */
export type Replay = Schemas['Replay'];
/** One step of a replay. `kind` selects the variant. */
export type ReplayStep = Schemas['ReplayStep'];
/** A report on the clients of one or more worlds. */
export type Report = Schemas['ClientReport'];
/** Result of the compliance review of a payee or a payment instruction. A withdrawal needs both to be APPROVED. */
export type ReviewStatus = Schemas['ReviewStatus'];
/** The new credentials of a world, and the end of the former ones. */
export type RotatedCredentials = Schemas['RotatedCredentials'];
/** Duration in real time, at most 30 days. */
export type RotationGrace = Schemas['RotationGrace'];
/** A document that was uploaded for the verification of an account. */
export type SandboxDocument = Schemas['Document'];
/** The result of checking a scenario file. */
export type ScenarioCheck = Schemas['ScenarioCheck'];
/** A file of the scenario directories, with its errors. */
export type ScenarioFile = Schemas['ScenarioFile'];
/** The available scenarios and their files. */
export type Scenarios = Schemas['Scenarios'];
/** The rules of a scenario that past triggers would have matched. */
export type ScenarioTrials = Schemas['ScenarioTrials'];
/** The segment of a company. It decides which documents the company must upload. */
export type Segment = Schemas['Segment'];
/** The present settings of a world. */
export type Settings = Schemas['Settings'];
/** Changes to the settings. Absent settings do not change. Rates and delays are merged by name. */
export type SettingsRequest = Schemas['SettingsRequest'];
/** Whether the signatures of a webhook are valid, and if not, which part is wrong. */
export type SignatureCheck = Schemas['SignatureCheck'];
/** A webhook whose signatures are to be checked. */
export type SignatureRequest = Schemas['SignatureRequest'];
/** A stored state of a world, which you can restore. */
export type Snapshot = Schemas['Snapshot'];
/** The rows that differ between two states. */
export type StateDifferences = Schemas['StateDifferences'];
/** The complete state of a world, without its name, credentials and snapshots. */
export type StateDocument = Schemas['StateDocument'];
/** Version and status of a sandbox. If a control token is configured, a request without it gets only `version` and `auth`. */
export type Status = Schemas['Status'];
/** An event in a world, with its number in the stream. */
export type StreamItem = Schemas['StreamItem'];
/**
 * REQUEST, CONTROL: a request to the public API or the control API got its response. RULE: a rule of the scenario matched. JOB: a timer
 * was set. STATE: the status of a resource changed. DELIVERY: a delivery started or ended. ATTEMPT: a webhook attempt ended. LEDGER: money
 * was booked. INBOX: an inbox received a message. FAULT: a fault was created, injected or removed. CLOCK: the clock was frozen, started or
 * advanced. SCENARIO: the scenario or the settings changed. FINDING: a problem of the client was found. MARK: a test began or ended.
 * WORLD: the world was reset, replaced or deleted, or a snapshot was created or deleted.
 */
export type StreamKind = Schemas['StreamKind'];
/** A subscription that sends events to a URL. */
export type Subscription = Schemas['Subscription'];
/** An event in a world. */
export type TimelineItem = Schemas['TimelineItem'];
/** The pending timers of a world. */
export type Timers = Schemas['Timers'];
/** A beneficial owner of a company: a person who owns a part of it or signs for it. */
export type Ubo = Schemas['Ubo'];
/** The result of a successful verification. */
export type Verified = Schemas['Verified'];
/**
 * The expectation on the recorded entries: a number of them, or a sequence. All steps together have at most 100 conditions, 1,000 values
 * in lists, and 65,536 characters in names and texts.
 */
export type VerifyRequest = Schemas['VerifyRequest'];
/** The explanation of the present state of a resource. */
export type Why = Schemas['Why'];
/** A world: an isolated sandbox with its own credentials, data, clock and scenario. */
export type WorldDescription = Schemas['World'];
/** Name, seed and initial data of a new world. */
export type WorldRequest = Schemas['WorldRequest'];
