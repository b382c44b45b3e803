// What Laravel's rules for addresses accept.

const LOCAL = /^(?:"[^"]*"|[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*)$/;
const LABEL = /^(?!-)[^\s"(),/:;<>@[\\\]]+(?<!-)$/;

/** The rule `email`. The domain needs no dot, and its labels neither begin nor end with a hyphen. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return (
    LOCAL.test(text.slice(0, Math.max(0, at))) &&
    text
      .slice(at + 1)
      .split('.')
      .every((label) => LABEL.test(label))
  );
}

/** The rule `url:http,https`. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
