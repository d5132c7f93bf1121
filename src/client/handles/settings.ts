import { ScenarioCalls, SettingsCalls, StateCalls } from '../calls.js';
import { answered, type CallOptions } from '../caller.js';
import type { ActiveScenario, InlineScenario } from '../types.js';

/** The scenario of a world. */
export class ScenarioHandle extends ScenarioCalls {
  /** Sets the scenario for resources that are created later: by name, or inline. */
  use(scenario: string | InlineScenario, { signal = null }: CallOptions = {}): Promise<ActiveScenario> {
    const body = typeof scenario === 'string' ? { name: scenario } : { inline: scenario };
    return answered(this.client.PUT('/_sandbox/scenario', { body, signal }));
  }
}

/** Rates, fees, times and policies of a world. */
export class SettingsHandle extends SettingsCalls {}

/** The complete state of a world as one document. */
export class StateHandle extends StateCalls {}
