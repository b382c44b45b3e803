/** Takes a key out of a text, also where characters of it are escaped for JSON, an address or HTML. */
export function hideKey(text: string, key: string): string {
  const pattern = key.replace(/./g, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16);
    const named = /\w/.test(character) ? '' : '|&\\w+;';
    // Bounded, so that no text takes long to search.
    return `(?:\\\\{0,4}(?:\\x${hex}|u00${hex})|%(?:25)?${hex}|&#0?(?:${code}|x${hex});${named})`;
  });
  return text.replace(new RegExp(pattern, 'gi'), '[redacted]');
}
