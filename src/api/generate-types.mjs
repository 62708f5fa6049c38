// Writes types.ts, the types and the inputs of settings, from the JSON schema of all requests and
// answers, which `python -m mle_modernizer_server.web.schema` writes.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const SCHEMA = new URL(
  '../../mle_modernizer_server/web/schema.json',
  import.meta.url
);
const TARGET = new URL('./types.ts', import.meta.url);
const ROOT = 'Wire';
// Bodies of requests: what has a default may be left out.
const REQUESTS = new Set(['AskFix', 'CreateSession', 'Decide']);

const INPUTS = `
/** Input of a setting, as the server declares it. */
export interface ISettingInput {
  name: keyof SessionSettings;
  type: string;
  /** Part of the settings that contains it. */
  place: string;
  /** Name of the default in the Settings editor; empty: none. */
  preference: string;
  /** Size of a displayed unit in the setting's own. */
  size: number;
  /** Bounds of a number, in the setting's own unit. */
  above?: number;
  from?: number;
  to?: number;
  /** Pattern of a text. */
  pattern?: RegExp;
  /** Whether it may be empty, which is null. */
  isOptional: boolean;
  label: string;
  help: string;
  unit: string;
  /** Placeholder. */
  empty: string;
  /** Labels of the values, if they are chosen from a list. */
  labels: readonly [string, string][];
  /** What a value means while it is chosen. */
  helps: readonly [string, string][];
}

/** Return the inputs of settings, in their order. */
export function settingInputs(trans: TranslationBundle): ISettingInput[] {
  return [
`;

const schema = JSON.parse(readFileSync(SCHEMA, 'utf-8'));
const settings = schema.$defs.SessionSettings.properties;
const { rows } = schema.$defs.RehearsalSettings.properties;
const SAMPLES = `
/** The rows of a table in a sample. */
export const SAMPLE_ROWS = { default: ${rows.default}, from: ${rows.minimum}, to: ${rows.maximum} };
`;
const inputs = Object.entries(settings).flatMap(([name, field]) =>
  field.input ? [inputOf(name, field)] : []
);
for (const [name, definition] of Object.entries(schema.$defs)) {
  if (!definition.properties) {
    continue;
  }
  if (!REQUESTS.has(name)) {
    // The server sends every field, defaults too.
    definition.required = Object.keys(definition.properties);
  }
  for (const [key, property] of Object.entries(definition.properties)) {
    // A title would make a named type of the field, and anything beside a reference a copy of
    // the type it refers to.
    delete property.title;
    delete property.input;
    if (property.$ref) {
      definition.properties[key] = { $ref: property.$ref };
    }
  }
}

const source = await compile(schema, ROOT, {
  additionalProperties: false,
  bannerComment: `// Made by \`jlpm generate:types\` from the schema of the server part. Do not edit.
import type { TranslationBundle } from '@jupyterlab/translation';`,
  format: false,
  unreachableDefinitions: true
});

writeFileSync(
  TARGET,
  source
    .replace(
      /( \*\s*\n)? \* This interface was referenced by .*\n \* via the `definition` ".*"\.\n/g,
      ''
    )
    .replace(/\/\*\*\s*\n \*\/\n/g, '')
    .replace(new RegExp(`export interface ${ROOT} \\{\\s*\\}\\n?`), '')
    .concat(SAMPLES, INPUTS, inputs.join(''), '  ];\n}\n')
);

/** Return the source of an input; each of its texts is a literal, for JupyterLab's extraction. */
function inputOf(name, field) {
  const { empty, help, helps, label, labels, unit, ...rest } = field.input;
  const types = field.anyOf ?? [field];
  const [{ exclusiveMinimum, maximum, minimum, type }] = types;
  const text = words => (words ? `trans.__(${JSON.stringify(words)})` : "''");
  const pairs = found =>
    `[${found.map(([value, words]) => `['${value}', ${text(words)}]`)}]`;
  const source = {
    name: `'${name}'`,
    ...Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, JSON.stringify(value)])
    ),
    type: `'${type ?? 'string'}'`,
    isOptional: types.length > 1,
    above: exclusiveMinimum,
    from: minimum,
    to: maximum,
    pattern: field.pattern && `/${field.pattern}/`,
    label: text(label),
    help: text(help),
    unit: text(unit),
    empty: text(empty),
    labels: pairs(labels),
    helps: pairs(helps)
  };
  const entries = Object.entries(source).map(
    ([key, code]) => `${key}: ${code}`
  );
  return `    { ${entries.join(', ')} },\n`;
}
