// Takes the key out of what the service sends, in one pass over the text.

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * A character escaped for JSON, an address or HTML, also twice; backslashes alone escape what follows. Each alternative ends
 * where it matched, so no text takes long.
 */
const escapes =
  /\\+(?:u00([\da-f]{2}))?|%(?:25)*([\da-f]{2})|&#(?:0{0,6}(\d{2,3})|x0{0,6}([\da-f]{2}));|&(amp|lt|gt|quot|apos);/gi;

/** A text without escapes, and where each of its parts stands in the original. */
function decode(text: string) {
  const marks: { readonly plain: number; readonly original: number }[] = [{ plain: 0, original: 0 }];
  let plain = '';
  let end = 0;
  for (const found of text.matchAll(escapes)) {
    const [escaped, json, percent, decimal, hex, entity] = found;
    const { index } = found;
    plain += text.slice(end, index);
    marks.push({ plain: plain.length, original: index });
    const code = decimal ? Number(decimal) : Number.parseInt(`${json ?? percent ?? hex}`, 16);
    plain += entity ? entities[entity.toLowerCase()] : code ? String.fromCharCode(code) : '';
    end = index + escaped.length;
    marks.push({ plain: plain.length, original: end });
  }
  return { plain: plain + text.slice(end), marks };
}

/** Replaces the key in a text, in any case and with any escapes. */
export function hideKey(text: string, key: string): string {
  const { plain, marks } = decode(text);
  const wanted = new RegExp(decode(key).plain.replace(/\W/g, '\\$&'), 'gi');
  let mark = 0;
  /** Where a position stands in the original: in front of the escapes that begin there. Positions only rise. */
  const toOriginal = (position: number) => {
    while ((marks[mark + 1]?.plain ?? Number.POSITIVE_INFINITY) < position) mark += 1;
    const next = marks[mark + 1];
    if (next?.plain === position) return next.original;
    return (marks[mark]?.original ?? 0) + position - (marks[mark]?.plain ?? 0);
  };
  let hidden = '';
  let from = 0;
  for (const { 0: found, index } of plain.matchAll(wanted)) {
    hidden += `${text.slice(from, toOriginal(index))}[redacted]`;
    from = toOriginal(index + found.length);
  }
  return hidden + text.slice(from);
}
