// What Laravel's rule `url:http,https` accepts.

const IPV4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const IPV6 = String.raw`\[[\dA-Fa-f:.]+\]`;
const NAME = String.raw`[\p{L}\p{N}\p{S}\-_.]+[\p{L}\p{N}]\.?`;
const USER = String.raw`(?:[\p{L}\p{N}\-_.:]|%[\dA-Fa-f]{2})+@`;
const path = (more: string) => String.raw`(?:[\p{L}\p{N}\-._~!$&'()*+,;=:@/${more}]|%[\dA-Fa-f]{2})*`;

const URL_PATTERN = new RegExp(
  `^https?://(?:${USER})?(?:${NAME}|${IPV4}|${IPV6})(?::\\d+)?(?:/${path('\\p{S}\\p{M}')})?(?:\\?${path('?[\\]')})?(?:#${path('?')})?$`,
  'iu',
);

/** Whether a text is an HTTP or HTTPS address. A host has at least two characters. */
export function isUrl(text: string): boolean {
  return URL_PATTERN.test(text);
}
