/** How long changes are gathered before they are saved, in milliseconds. */
const DEBOUNCE_MS = 500;

/** Saves some time after a change, one save at a time. */
export interface Saver {
  /** Something changed. */
  changed(): void;
  /**
   * Saves what has not been saved yet.
   *
   * @throws {unknown} when the save fails: what it threw
   */
  finish(): Promise<void>;
}

/** @param failed Told where a save failed on the way; the next change, or the end, tries again. */
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
