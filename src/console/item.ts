import type { TimelineItem } from '../contract/control/analysis/stream.js';

/** Something that happened: an item of the timeline, which the stream sends as well. */
export type Item = TimelineItem;
