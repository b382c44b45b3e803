// To decide by what a list lacks, read it again until a pass adds nothing: an item that moves to another page meanwhile may be missing
// from one pass, and the pass does not show it.

/** A list that still adds something then changes too fast to decide by it. */
export const MOST_PASSES = 5;

/**
 * Reads a list in passes until one adds nothing.
 *
 * @param read reads the list once, and gives how much it added; `null` for a pass that shows nothing, even if it added nothing
 * @returns what the last pass added: anything but 0 means that five passes were not enough
 */
export async function readInPasses(read: (pass: number) => Promise<number | null>): Promise<number | null> {
  for (let pass = 1; ; pass += 1) {
    const added = await read(pass);
    if (added === 0 || pass === MOST_PASSES) return added;
  }
}
