import { answered, type CallOptions, type Control } from '../caller.js';
import type { ActiveScenario, InlineScenario, Settings, SettingsRequest, StateDocument } from '../types.js';

/** What decides the course of things in a world. */
export class ScenarioHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  /** The scenario in force, with the hits of its rules. */
  get({ signal = null }: CallOptions = {}): Promise<ActiveScenario> {
    return answered(this.#client.GET('/_sandbox/scenario', { signal }));
  }

  /** Chooses a scenario by its name, or brings one along, for what is created from now on. */
  use(scenario: string | InlineScenario, { signal = null }: CallOptions = {}): Promise<ActiveScenario> {
    const body = typeof scenario === 'string' ? { name: scenario } : { inline: scenario };
    return answered(this.#client.PUT('/_sandbox/scenario', { body, signal }));
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

  /** What is left out stays as it is. */
  set(settings: SettingsRequest, { signal = null }: CallOptions = {}): Promise<Settings> {
    return answered(this.#client.PUT('/_sandbox/settings', { body: settings, signal }));
  }
}

/** All that a world remembers, as one document. */
export class StateHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  export({ signal = null }: CallOptions = {}): Promise<StateDocument> {
    return answered(this.#client.GET('/_sandbox/state', { signal }));
  }

  /** Puts a document in the place of the world, which keeps its name, credentials and snapshots. */
  import(state: StateDocument, { signal = null }: CallOptions = {}): Promise<StateDocument> {
    return answered(this.#client.PUT('/_sandbox/state', { body: state, signal }));
  }
}
