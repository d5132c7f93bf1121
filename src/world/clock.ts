import type { ClockRecord, ClockSetting } from './rows.js';

/** The clock that a setting asks for, at this real instant (milliseconds since 1970). */
export function clockFrom(setting: ClockSetting, realMs: number): ClockRecord {
  const startMs = setting.now === undefined ? realMs : Date.parse(setting.now);
  return clockAt(setting.mode, startMs, realMs);
}

/** A clock that shows `worldMs` at the real instant `realMs`. */
export function clockAt(mode: ClockRecord['mode'], worldMs: number, realMs: number): ClockRecord {
  return mode === 'FROZEN' ? { id: 'clock', mode, at: new Date(worldMs).toISOString() } : { id: 'clock', mode, offsetMs: worldMs - realMs };
}

/** What a clock shows at a real instant, both in milliseconds since 1970. */
export function readClock(clock: ClockRecord, realMs: number): number {
  return clock.mode === 'FROZEN' ? Date.parse(clock.at) : realMs + clock.offsetMs;
}
