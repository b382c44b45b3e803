// What Laravel's rule `email` accepts: an address after RFC 5322, in ASCII or not.

/** An atom: no space, no control character and no special character of the RFC. */
const ATOM = /^[^\s\p{Cc}()<>[\]:;@\\,"]+$/u;
const QUOTED = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"$/u;
const LITERAL = /^\[[^[\]\\\s]+\]$/;

/** Whether a text is an address. The domain needs no dot, and its labels neither begin nor end with a hyphen. */
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
