// Colours code when the site is made. The colours of the theme are only names for classes, so that the style sheet decides, and no
// style stands in the page.
import {
  bundledLanguages,
  codeToTokensWithThemes,
  createOnigurumaEngine,
  createShikiInternal,
  loadBuiltinWasm,
} from '@gerrit0/mini-shiki';

const classes: Readonly<Record<string, readonly string[]>> = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'support.type.property-name.json'],
  keyword: ['keyword', 'storage', 'constant.language', 'variable.language'],
  number: ['constant.numeric'],
  function: ['entity.name.function', 'support.function'],
  type: ['entity.name.type', 'support.type.primitive', 'support.class'],
};
const names = Object.keys(classes);
const colorOf = (index: number) => `#00000${index + 1}`;

await loadBuiltinWasm();
const shiki = await createShikiInternal({
  engine: createOnigurumaEngine(),
  langs: [bundledLanguages.ts, bundledLanguages.sh, bundledLanguages.json, bundledLanguages.python],
  themes: [
    {
      name: 'classes',
      type: 'light',
      settings: [
        { settings: { foreground: '#000000', background: '#ffffff' } },
        ...names.map((name, index) => ({
          scope: [...(classes[name] ?? [])],
          settings: { foreground: colorOf(index) },
        })),
        { scope: ['keyword.operator', 'meta.template.expression'], settings: { foreground: '#000000' } },
      ],
    },
  ],
});
const languages: Readonly<Record<string, string>> = {
  js: 'ts',
  typescript: 'ts',
  ts: 'ts',
  sh: 'sh',
  json: 'json',
  python: 'python',
};

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function highlight(code: string, language: string): string {
  const lang = languages[language];
  if (lang === undefined) return escapeHtml(code);
  const lines = codeToTokensWithThemes(shiki, code, { lang, themes: { only: 'classes' } });
  const written = lines.map((tokens) =>
    tokens
      .map(({ content, variants }) => {
        const name = names[Number(variants['only']?.color?.slice(-1)) - 1];
        return name === undefined
          ? escapeHtml(content)
          : `<span class="${name}">${escapeHtml(content)}</span>`;
      })
      .join(''),
  );
  return written.join('\n');
}
