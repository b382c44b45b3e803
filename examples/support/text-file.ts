// Reads text files as people save them, so that a wrong encoding is an error and never a garbled name.

import { createReadStream } from 'node:fs';

/**
 * The text of a file, a piece at a time: UTF-16 where its first bytes say so, otherwise UTF-8.
 *
 * @param onBytes told how many more bytes were read
 * @throws {Error} that says how to save the file, where its bytes are neither
 */
export async function* readText(
  path: string,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<string> {
  let decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new Error(
        `${path} is not valid ${decoder.encoding.toUpperCase()}, so names in it would be garbled. Save it as UTF-8: in Excel ` +
          'as "CSV UTF-8 (Comma delimited)", in LibreOffice with the character set "Unicode (UTF-8)".',
      );
    }
  };
  let isFirst = true;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    if (isFirst) decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
    isFirst = false;
    onBytes(bytes.length);
    yield decode(bytes, true);
  }
  // Fails where the last character is cut.
  yield decode(new Uint8Array(), false);
}

/** Byte order marks as in the Unicode Standard, 23.8; the decoder removes them. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}
