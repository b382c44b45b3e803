/**
 * What two emails of one participant have in common: they are compared as a database with a case-insensitive Unicode
 * collation does, in NFC and without case.
 */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
