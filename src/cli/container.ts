import { readFileSync } from 'node:fs';

/** The settings of a sandbox that say where it listens. */
const settings = ['HOST', 'PORT', 'CONTROL_PORT'] as const;

/** Where a sandbox listens by its flags, as environment variables, out of a command line whose parts end with zero bytes, as `/proc` has it. */
export function settingsIn(commandLine: string): Record<string, string> {
  const parts = commandLine.split('\0').slice(0, -1);
  const program = parts.findIndex((part) => /(^|\/)(main\.cjs|crossborder-sandbox)$/.test(part));
  if (program < 0) return {};
  const flags = parts.slice(program + 1);
  return Object.fromEntries(
    settings.flatMap((name) => {
      const flag = `--${name.toLowerCase().replace('_', '-')}`;
      const at = flags.findLastIndex((each) => each === flag || each.startsWith(`${flag}=`));
      const value = at < 0 ? undefined : flags[at] === flag ? flags[at + 1] : flags[at]!.slice(flag.length + 1);
      return value === undefined ? [] : [[`SANDBOX_${name}`, value]];
    }),
  );
}

/** Where the sandbox listens that is the first process of this container, by its flags; nothing where that cannot be told. */
export function containerSettings(): Record<string, string> {
  try {
    return settingsIn(readFileSync('/proc/1/cmdline', 'utf8'));
  } catch {
    return {};
  }
}
