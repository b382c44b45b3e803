// What Laravel's rules for addresses accept.

/** An atom: no space, no control character and no special character of the RFC. */
const ATOM = /^[^\s\p{Cc}()<>[\]:;@\\,"]+$/u;
const QUOTED = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"$/u;
const LITERAL = /^\[[^[\]\\\s]+\]$/;

/** The rule `email`: an address after RFC 5322, in ASCII or not. The domain needs no dot, and its labels neither begin nor end with a hyphen. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  const isLocal = QUOTED.test(local) || local.split('.').every((atom) => ATOM.test(atom));
  return isLocal && (LITERAL.test(domain) || domain.split('.').every(isLabel));
}

function isLabel(label: string): boolean {
  return ATOM.test(label) && !/[/]|^-|-$/.test(label);
}

const IPV4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const IPV6 = String.raw`\[[\dA-Fa-f:.]+\]`;
const NAME = String.raw`[\p{L}\p{N}\p{S}\-_.]+[\p{L}\p{N}]\.?`;
const USER = String.raw`(?:[\p{L}\p{N}\-_.:]|%[\dA-Fa-f]{2})+@`;
const path = (more: string) => String.raw`(?:[\p{L}\p{N}\-._~!$&'()*+,;=:@/${more}]|%[\dA-Fa-f]{2})*`;

const URL_PATTERN = new RegExp(
  `^https?://(?:${USER})?(?:${NAME}|${IPV4}|${IPV6})(?::\\d+)?(?:/${path('\\p{S}\\p{M}')})?(?:\\?${path('?[\\]')})?(?:#${path('?')})?$`,
  'iu',
);

/** The rule `url:http,https`. A host has at least two characters. */
export function isUrl(text: string): boolean {
  return URL_PATTERN.test(text);
}
