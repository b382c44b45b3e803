import type { Settings } from '../../service/emulator-options.ts';
import type { Style } from './style.ts';
import { styles } from './styles.ts';

/** The style chosen in the settings, with ids and other numbers written accordingly. */
export function styleOf({ style: name, ids, numbers }: Settings): Style {
  const style = styles[name];
  if (ids === 'number' && numbers === 'number') return style;
  const written = (body: unknown) => write(body, '', { ids, numbers });
  return {
    ...style,
    list: (page) => written(style.list(page)),
    record: (row, kind) => written(style.record(row, kind)),
    acknowledgement: (message, data) => written(style.acknowledgement(message, data)),
  };
}

type Writing = Pick<Settings, 'ids' | 'numbers'>;

function write(value: unknown, key: string, writing: Writing): unknown {
  if (typeof value === 'number') {
    return writing[/(^|_)id$/.test(key) ? 'ids' : 'numbers'] === 'string' ? String(value) : value;
  }
  if (Array.isArray(value)) return value.map((item) => write(item, key, writing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, write(inner, name, writing)]),
  );
}
