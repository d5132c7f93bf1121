import type { TimelineItem } from '../contract/control/analysis/stream.js';

/** An event in a world: an item of the timeline, which the stream sends too. */
export type Item = TimelineItem;
