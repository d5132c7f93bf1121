/** The format of replay files that this version writes and reads. */
export const replayFormat = 1;

/** Maximum size of a replay file that the sandbox writes, in bytes. */
export const maxReplayBytes = 2 * 1024 * 1024;

/** Maximum size of a replay file that is read, in bytes without compression. It exceeds {@link maxReplayBytes}, because editors may add line breaks and spaces. */
export const maxReadReplayBytes = 4 * maxReplayBytes;

/** Maximum size of a body that a step has only to show it, in bytes. */
export const maxShownBytes = 4096;

/** Maximum number of recorded world times of the commits and advances of a request. */
export const maxWorldTimes = 9;

/** Maximum number of steps in a file. */
export const maxReplaySteps = 20_000;
