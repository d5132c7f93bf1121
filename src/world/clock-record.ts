import type { ClockRecord, ClockSetting } from './rows.js';

/** Returns a new clock as requested. Default start: real time. @param realMs real time in Unix milliseconds */
export function clockFrom(setting: ClockSetting, realMs: number): ClockRecord {
  const startMs = setting.now === undefined ? realMs : Date.parse(setting.now);
  return clockAt(setting.mode, startMs, realMs);
}

/** Returns a clock that shows `worldMs` at real time `realMs`, both in Unix milliseconds. */
export function clockAt(mode: ClockRecord['mode'], worldMs: number, realMs: number): ClockRecord {
  return mode === 'FROZEN' ? { id: 'clock', mode, at: new Date(worldMs).toISOString() } : { id: 'clock', mode, offsetMs: worldMs - realMs };
}

/** Returns world time at a real time, both in Unix milliseconds. */
export function readClock(clock: ClockRecord, realMs: number): number {
  return clock.mode === 'FROZEN' ? Date.parse(clock.at) : realMs + clock.offsetMs;
}
