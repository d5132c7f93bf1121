import type { Settings } from '../contract/scenario/settings.js';
import type { SegmentDocuments } from '../domain/accounts/segment.js';
import type { Pricing } from '../domain/operations/quote.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { View } from './view.js';

/** What verbs find around their world; the same for all worlds of a sandbox. */
export interface Surroundings {
  readonly scenarios: ScenarioCatalogue;
  /** The documents that each segment asks for. */
  readonly documents: SegmentDocuments;
  /** The settings in force in the world of a view. */
  settings(view: View): Settings;
  /** What prices depend on in the world of a view. */
  pricing(view: View): Pricing;
}
