/** Units below this are narrow: the lower case of each is one such unit too, whatever stands beside it. */
export const narrow = 256;

/** Texts beyond this length are not kept. */
const longText = 256;
const leastUnits = 1024;

const narrowText = /^[\0-\xff]*$/;

/** The units of a text: as they are where all are narrow, else in lower case. */
export function unitsOf(text: string): Uint16Array {
  const spelled = narrowText.test(text) ? text : text.toLowerCase();
  const units = new Uint16Array(spelled.length);
  for (let at = 0; at < units.length; at += 1) units[at] = spelled.charCodeAt(at);
  return units;
}

/**
 * Texts by number, unit by unit as {@link unitsOf} has them, side by side, so that reading one after the other costs no look-up of each.
 * Neither long texts nor empty ones are kept.
 */
export class TextUnits {
  /** What the texts are made of. Another array after one was looked for. */
  units: Uint16Array = new Uint16Array(0);
  #used = 0;
  /** Two for each number: where its text begins and ends. Both are 0 for what was never looked for, and -1 for what is not kept. */
  #places: Int32Array = new Int32Array(0);
  readonly #wide = new Set<number>();

  /** Where the text of a number begins; -1 when it is not kept. It is, if it can be, from the first time that it is looked for. */
  startOf(number: number, text: string): number {
    const place = number * 2;
    if (place >= this.#places.length || this.#places[place + 1] === 0) this.#keep(number, text);
    return this.#places[place]!;
  }

  /** Where a text ends that was found. */
  endOf(number: number): number {
    return this.#places[number * 2 + 1]!;
  }

  /** Whether all units of a text that was found are narrow. */
  isNarrow(number: number): boolean {
    return !this.#wide.has(number);
  }

  /** Takes note that a number has another text, or none. */
  drop(number: number): void {
    this.#wide.delete(number);
    if (number * 2 < this.#places.length) this.#places.fill(0, number * 2, number * 2 + 2);
  }

  #keep(number: number, text: string): void {
    const place = number * 2;
    if (place >= this.#places.length) {
      const larger = new Int32Array(Math.max(place + 2, this.#places.length * 2));
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places.fill(-1, place, place + 2);
    if (text === '' || text.length > longText) return;
    const units = unitsOf(text);
    if (this.#used + units.length > this.units.length) this.#makeRoom(units.length);
    this.units.set(units, this.#used);
    this.#places[place] = this.#used;
    this.#places[place + 1] = this.#used += units.length;
    if (!narrowText.test(text)) this.#wide.add(number);
  }

  /** Moves the texts together, into twice the room that they take. */
  #makeRoom(length: number): void {
    const places = this.#places;
    let kept = length;
    for (let place = 0; place < places.length; place += 2) kept += places[place + 1]! - places[place]!;
    const units = new Uint16Array(Math.max(kept * 2, leastUnits));
    let used = 0;
    for (let place = 0; place < places.length; place += 2) {
      const [start, end] = [places[place]!, places[place + 1]!];
      if (end <= 0) continue;
      units.set(this.units.subarray(start, end), used);
      places[place] = used;
      places[place + 1] = used += end - start;
    }
    this.units = units;
    this.#used = used;
  }
}
