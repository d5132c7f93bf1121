import { answered, type CallOptions, type Control } from '../caller.js';
import type {
  ActiveScenario,
  InlineScenario,
  ScenarioTrials,
  Settings,
  SettingsRequest,
  StateDifferences,
  StateDocument,
} from '../types.js';

/** The scenario of a world. */
export class ScenarioHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  /** Returns the active scenario with the hit counts of its rules. */
  get({ signal = null }: CallOptions = {}): Promise<ActiveScenario> {
    return answered(this.#client.GET('/_sandbox/scenario', { signal }));
  }

  /** Sets the scenario for resources that are created later: by name, or inline. */
  use(scenario: string | InlineScenario, { signal = null }: CallOptions = {}): Promise<ActiveScenario> {
    const body = typeof scenario === 'string' ? { name: scenario } : { inline: scenario };
    return answered(this.#client.PUT('/_sandbox/scenario', { body, signal }));
  }

  /**
   * Returns the rules of a scenario file that recent requests, webhook attempts and resources would have matched.
   * @param file name of the file in errors
   */
  try(text: string, file?: string, { signal = null }: CallOptions = {}): Promise<ScenarioTrials> {
    const body = file === undefined ? { text } : { text, file };
    return answered(this.#client.POST('/_sandbox/scenario/trial', { body, signal }));
  }
}

/** Rates, fees, times and policies of a world. */
export class SettingsHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  get({ signal = null }: CallOptions = {}): Promise<Settings> {
    return answered(this.#client.GET('/_sandbox/settings', { signal }));
  }

  /** Changes the given settings. All others stay unchanged. */
  set(settings: SettingsRequest, { signal = null }: CallOptions = {}): Promise<Settings> {
    return answered(this.#client.PUT('/_sandbox/settings', { body: settings, signal }));
  }
}

/** The complete state of a world as one document. */
export class StateHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  export({ signal = null }: CallOptions = {}): Promise<StateDocument> {
    return answered(this.#client.GET('/_sandbox/state', { signal }));
  }

  /** Replaces the state of the world. The world keeps its name, credentials and snapshots. */
  import(state: StateDocument, { signal = null }: CallOptions = {}): Promise<StateDocument> {
    return answered(this.#client.PUT('/_sandbox/state', { body: state, signal }));
  }

  /**
   * Compares two states: `snapshot:<name>` of this world, or `world:<name>`.
   * @param to default: the present state of this world
   */
  differences(from: string, to?: string, { signal = null }: CallOptions = {}): Promise<StateDifferences> {
    const query = to === undefined ? { from } : { from, to };
    return answered(this.#client.GET('/_sandbox/state/differences', { params: { query }, signal }));
  }
}
