// Colours code when the site is made: by a few kinds of words, which are classes of the style sheet.

const keywords =
  'as async await break case catch class const continue default delete do else export extends false finally for from function if ' +
  'implements import in instanceof interface let new null of readonly return satisfies static super switch this throw true try ' +
  'type typeof undefined unknown void while yield string number boolean';

const words: Readonly<Record<string, string>> = {
  string: /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/.source,
  keyword: `\\b(?:${keywords.replaceAll(' ', '|')})\\b`,
  number: /\b\d[\d_.]*\b/.source,
  function: /\b[A-Za-z_$][\w$]*(?=\()/.source,
};
const grammar = (kinds: Readonly<Record<string, string>>) =>
  new RegExp(
    Object.entries(kinds)
      .map(([kind, source]) => `(?<${kind}>${source})`)
      .join('|'),
    'gm',
  );

const script = grammar({ comment: '//.*|/\\*[^]*?\\*/', ...words });
const shell = grammar({ comment: '(?<=^|\\s)#.*', string: words['string'] ?? '' });
const grammars: Readonly<Record<string, RegExp>> = {
  ts: script,
  js: script,
  typescript: script,
  json: script,
  sh: shell,
  python: shell,
};

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function highlight(code: string, language: string): string {
  const pattern = grammars[language];
  if (pattern === undefined) return escapeHtml(code);
  let written = '';
  let at = 0;
  for (const { index, 0: word, groups = {} } of code.matchAll(pattern)) {
    const [kind] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    written += `${escapeHtml(code.slice(at, index))}<span class="${kind}">${escapeHtml(word)}</span>`;
    at = index + word.length;
  }
  return written + escapeHtml(code.slice(at));
}
