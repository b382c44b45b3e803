// A program that acts on what is not in a list must read it again until a pass adds nothing: an item that moves to another page
// meanwhile may be missing from a pass, and nothing in that pass shows it.

/** A list that still adds something after these changes too fast to act on it. */
export const MOST_PASSES = 5;

/**
 * Reads a list in passes until one adds nothing.
 *
 * @param read reads the list once, and gives how much it added; `null` for a pass that proves nothing, even if it added nothing
 * @returns what the last pass added: anything but 0 means that five passes were not enough
 */
export async function readInPasses(read: (pass: number) => Promise<number | null>): Promise<number | null> {
  for (let pass = 1; ; pass += 1) {
    const added = await read(pass);
    if (added === 0 || pass === MOST_PASSES) return added;
  }
}
