// What a schema says of its fields: the forms of the console and the tables of the document are made of it.

import * as z from 'zod/mini';

/** A field of an input, as a form or a table shows it. */
export interface FieldDescription {
  /** Its meaning, unit and default. */
  readonly sentence: string;
  readonly isRequired: boolean;
  /** Several of the words, not one of them. */
  readonly isList: boolean;
  readonly type: 'words' | 'number' | 'text' | 'json';
  /** If it is made of words: these. */
  readonly words: readonly string[];
}

/** The fields of an input by name; none where any JSON is taken. */
export function fieldsOf(input: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  return input instanceof z.ZodMiniObject ? input.shape : {};
}

/** Reads the definition of the schema itself: `toJSONSchema` would add more than half of what the console weighs. */
export function describeField(schema: z.core.$ZodType): FieldDescription {
  const { description = '', examples } = z.globalRegistry.get(schema) ?? {};
  const definition = innermost(schema);
  const isList = definition.type === 'array';
  const words =
    (examples as string[] | undefined) ?? wordsOf(isList ? innermost(definition.element) : definition);
  return {
    sentence: description,
    isRequired: schema._zod.optin === undefined,
    isList,
    type: words.length > 0 ? 'words' : (plainTypes[definition.type] ?? 'json'),
    words,
  };
}

type Definition = z.core.$ZodTypes['_zod']['def'];

const plainTypes: Readonly<Record<string, 'number' | 'text'>> = { number: 'number', string: 'text' };

/** A definition without what only says that the value may be left out, null or converted. */
function innermost(schema: z.core.$ZodType): Definition {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return innermost(def.in);
  return def.type === 'optional' || def.type === 'nullable' ? innermost(def.innerType) : def;
}

function wordsOf(definition: Definition): readonly string[] {
  if (definition.type === 'boolean') return ['true', 'false'];
  return definition.type === 'enum' ? Object.values(definition.entries).map(String) : [];
}
