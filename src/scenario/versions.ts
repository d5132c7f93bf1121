import type { FileMistake, ScenarioFile } from '../contract/control/scenario-files.js';
import { maxLineage, type Scenario } from '../contract/scenario/scenario.js';
import { maxErrorItems } from '../contract/shared/errors.js';
import type { ScenarioFault } from './faults.js';

/** A scenario file as it was read. */
export interface ReadFile {
  readonly file: string;
  /** The scenario that it holds, or is meant to hold. */
  readonly name: string;
  /** Null when the file has mistakes. */
  readonly scenario: Scenario | null;
  readonly mistakes: readonly FileMistake[];
  /** Where in the file a mistake stands that the file alone does not show. */
  mistake(fault: ScenarioFault): FileMistake;
}

/** A scenario that is in force, where it came from, and when it was read. */
export interface Version {
  readonly scenario: Scenario;
  readonly file: string;
  readonly loadedAt: string;
}

/** What is in force of the files that were read, and how each of them stands. */
export interface Standing {
  readonly versions: ReadonlyMap<string, Version>;
  readonly files: readonly ScenarioFile[];
}

/**
 * Decides what is in force of files as they are now. A later file replaces an earlier one of the same scenario. Where a file has mistakes,
 * or is gone while its scenario is in use, the version before stays.
 * @param before what was in force until now
 * @param users who uses a scenario, by its name; none of these goes away
 */
export function standingOf(
  files: readonly ReadFile[],
  before: ReadonlyMap<string, Version>,
  loadedAt: string,
  users: ReadonlyMap<string, string>,
): Standing {
  const versions = new Map<string, Version>();
  const late = new Map<ReadFile, FileMistake[]>();
  for (const { file, name, scenario } of files) {
    const version = scenario ? { scenario, file, loadedAt } : before.get(name);
    if (version) versions.set(name, version);
  }
  const gone: ScenarioFile[] = [];
  for (const [name, user] of withAncestors(users, before)) {
    const version = before.get(name);
    if (versions.has(name) || !version) continue;
    versions.set(name, version);
    gone.push({ file: version.file, scenario: name, loadedAt: version.loadedAt, mistakes: [goneMistake(version.file, name, user)] });
  }
  dropOrphans();
  const standings = files.map((read): ScenarioFile => {
    const version = versions.get(read.name);
    const mistakes = [...read.mistakes, ...(late.get(read) ?? [])].slice(0, maxErrorItems);
    return { file: read.file, scenario: read.name, loadedAt: version?.file === read.file ? version.loadedAt : null, mistakes };
  });
  return { versions, files: [...standings, ...gone] };

  /** Takes back versions whose ancestry is not whole until all are; each is taken back to the one before, and then left out. */
  function dropOrphans(): void {
    const scenarios = () => new Map([...versions].map(([name, { scenario }]) => [name, scenario]));
    for (let isWhole = false; !isWhole;) {
      isWhole = true;
      for (const [name, version] of versions) {
        const fault = lineageFault(version.scenario, scenarios());
        if (!fault) continue;
        isWhole = false;
        const read = files.find((each) => each.scenario === version.scenario);
        if (read) late.set(read, [...(late.get(read) ?? []), read.mistake(fault)]);
        const last = before.get(name);
        if (last && last !== version) versions.set(name, last);
        else versions.delete(name);
      }
    }
  }
}

/** The users of scenarios, and of what these extend. */
function withAncestors(users: ReadonlyMap<string, string>, known: ReadonlyMap<string, Version>): Map<string, string> {
  const all = new Map(users);
  for (const name of all.keys()) {
    const parent = known.get(name)?.scenario.extends;
    if (parent !== undefined && !all.has(parent)) all.set(parent, `scenario ${name}, which extends it`);
  }
  return all;
}

function goneMistake(file: string, name: string, user: string): FileMistake {
  const expected = `expected scenario ${name} to stay, since it is in use by ${user}`;
  return { file, line: 1, column: 1, message: `the file: ${expected}; it is gone`, expected };
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
    if (seen.length > maxLineage)
      return { path: ['extends'], expected: `a line of at most ${maxLineage} scenarios, each of which extends the next` };
    if (each.extends !== undefined && !known.has(each.extends))
      return {
        path: ['extends'],
        expected: `the name of a scenario that can be used (${[...known.keys()].join(', ')}); got "${each.extends}"`,
        misspelt: { name: each.extends, known: known.keys() },
      };
  }
  return null;
}
