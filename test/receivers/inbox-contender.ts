// A process that takes and releases a folder on request, for tests of the lock.

import { lockFolder } from '../../examples/inbox/folder-lock.ts';

const [folder = ''] = process.argv.slice(2);
let unlock: (() => Promise<void>) | undefined;

process.on('message', async (order) => {
  if (order === 'take') {
    unlock = await lockFolder(folder).catch(() => undefined);
    process.send?.(unlock === undefined ? 'rejected' : 'taken');
  } else {
    await unlock?.();
    process.send?.('released');
  }
});
