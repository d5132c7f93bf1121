import type { Scenario } from '../contract/scenario/scenario.js';
import { compileScenario, type CompiledScenario } from './compile.js';
import type { ScenarioFault } from './faults.js';

/** All scenarios by name. What is loaded can be replaced as a whole, while worlds go on. */
export class ScenarioCatalogue {
  #scenarios: ReadonlyMap<string, Scenario> = new Map();
  #compiled = new Map<string, CompiledScenario>();
  /** Scenarios of single worlds, compiled against what is loaded. */
  #inline = new WeakMap<Scenario, CompiledScenario>();

  /** @throws Error for a scenario whose ancestry {@link lineageFault} finds fault with */
  constructor(scenarios: Iterable<Scenario>) {
    this.replace(scenarios);
  }

  get all(): Iterable<Scenario> {
    return this.#scenarios.values();
  }

  has(name: string): boolean {
    return this.#scenarios.has(name);
  }

  /** A scenario, compiled when it is first asked for. */
  get(name: string): CompiledScenario | undefined {
    let compiled = this.#compiled.get(name);
    const scenario = this.#scenarios.get(name);
    if (!compiled && scenario) this.#compiled.set(name, (compiled = compileScenario(lineage(scenario, this.#scenarios))));
    return compiled;
  }

  /** Puts other scenarios in the place of all. @throws Error as the constructor, and then nothing has changed */
  replace(scenarios: Iterable<Scenario>): void {
    const next = new Map([...scenarios].map((each) => [each.scenario, each]));
    for (const scenario of next.values()) lineage(scenario, next);
    this.#scenarios = next;
    this.#compiled = new Map();
    this.#inline = new WeakMap();
  }

  /** A scenario of a single world, compiled; an ancestor that is gone since leaves it without rules but its own. */
  inline(scenario: Scenario): CompiledScenario {
    let compiled = this.#inline.get(scenario);
    if (!compiled) {
      const isWhole = lineageFault(scenario, this.#scenarios) === null;
      compiled = compileScenario(isWhole ? lineage(scenario, this.#scenarios) : [scenario]);
      this.#inline.set(scenario, compiled);
    }
    return compiled;
  }

  /** What is wrong with the ancestry of a scenario that a request brings along. */
  inlineFault(scenario: Scenario): ScenarioFault | null {
    return lineageFault(scenario, this.#scenarios);
  }
}

/** What is wrong with the ancestry of a scenario; null when nothing is. */
export function lineageFault(scenario: Scenario, known: ReadonlyMap<string, Scenario>): ScenarioFault | null {
  const seen: Scenario[] = [];
  for (let each: Scenario | undefined = scenario; each; each = each.extends === undefined ? undefined : known.get(each.extends)) {
    if (seen.includes(each)) {
      const circle = [...seen, each].map(({ scenario: name }) => name).join(' -> ');
      return { path: ['extends'], expected: `a parent that does not lead back here; ${circle} is a circle` };
    }
    seen.push(each);
    if (each.extends !== undefined && !known.has(each.extends))
      return {
        path: ['extends'],
        expected: `the name of a scenario that exists (${[...known.keys()].join(', ')}); got "${each.extends}"`,
        misspelt: { name: each.extends, known: known.keys() },
      };
  }
  return null;
}

function lineage(scenario: Scenario, known: ReadonlyMap<string, Scenario>): [Scenario, ...Scenario[]] {
  const fault = lineageFault(scenario, known);
  if (fault) throw new Error(`Scenario ${scenario.scenario}: extends: expected ${fault.expected}.`);
  const parent = scenario.extends === undefined ? undefined : known.get(scenario.extends);
  return [scenario, ...(parent ? lineage(parent, known) : [])];
}
