// What Laravel's rules for addresses accept.

const ATOMS = String.raw`[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*`;
const EMAIL = new RegExp(`^(?:"[^"]*"|${ATOMS})@${ATOMS}$`);

/** The rule `email`. The domain needs no dot. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** The rule `url:http,https`. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
