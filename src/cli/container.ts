import { readFileSync } from 'node:fs';

/** Settings that define the addresses of a sandbox. */
const settings = ['HOST', 'PORT', 'CONTROL_PORT'] as const;

/** Returns the address settings in a `/proc/<pid>/cmdline` text as environment variables. Each argument ends with a zero byte. */
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

/** Returns the address flags of the sandbox that runs as process 1 of this container; an empty object if they are unknown. */
export function containerSettings(): Record<string, string> {
  try {
    return settingsIn(readFileSync('/proc/1/cmdline', 'utf8'));
  } catch {
    return {};
  }
}
