// Saves the emulator's state to its file (`--state`) whenever it changes.

/** How long to collect changes before saving them, in milliseconds. */
const DEBOUNCE_MS = 500;

/** Saves shortly after a change, one save at a time. */
export interface Saver {
  /** Call this after a change. */
  changed(): void;
  /**
   * Saves anything not saved yet.
   *
   * @throws {unknown} the error of a save that fails
   */
  finish(): Promise<void>;
}

/** @param failed Called when an intermediate save fails; the next change, or the end, tries again. */
export function createSaver(save: () => Promise<void>, failed: (error: unknown) => void): Saver {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsaved = false;
  let latest: Promise<unknown> = Promise.resolve();

  async function saveAfter(before: Promise<unknown>): Promise<void> {
    await before;
    unsaved = false;
    try {
      await save();
    } catch (error) {
      unsaved = true;
      throw error;
    }
  }

  return {
    changed() {
      unsaved = true;
      timer ??= setTimeout(() => {
        timer = undefined;
        latest = saveAfter(latest).catch(failed);
      }, DEBOUNCE_MS);
    },
    async finish() {
      clearTimeout(timer);
      await latest;
      if (unsaved) await saveAfter(latest);
    },
  };
}
