import type { TimelineItem } from '../contract/control/analysis/stream.js';

/** An item of the timeline of a world, which the stream sends too. */
export type Item = TimelineItem;
