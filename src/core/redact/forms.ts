/** A secret as it is and in every notation in which a service may echo it: JSON, HTML, URL and base64. */
export function formsOf(secret: string): Set<string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const escaped = [json, json.replaceAll('/', '\\/')];
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const apostrophes = ['&#039;', '&#39;', '&#x27;'].map((entity) => html.replaceAll("'", entity));
  const base64 = [0, 1, 2].map((offset) => toBase64(secret, offset));
  return new Set([
    secret,
    ...escaped,
    ...escaped.map(toAscii),
    html,
    ...apostrophes,
    ...urlForms(secret),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]);
}

/** As PHP and others write JSON that must not hold a character beyond ASCII. */
function toAscii(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function urlForms(secret: string): string[] {
  // Half a character cannot stand in a URL.
  const encoded = encodeURIComponent(secret.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'));
  // PHP encodes these as well.
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return [encoded, strict].flatMap((form) => [
    form,
    form.replaceAll('%20', '+'),
    form.replace(/%../g, (encoded) => encoded.toLowerCase()),
  ]);
}

/** The characters of base64 that belong to the secret alone where it begins `offset` bytes after a group of three. */
function toBase64(secret: string, offset: number): string {
  const bytes = [...new Uint8Array(offset), ...new TextEncoder().encode(secret)];
  const text = btoa(String.fromCharCode(...bytes));
  const end = Math.floor((bytes.length * 8) / 6);
  return text.slice(Math.ceil((offset * 8) / 6), end);
}
