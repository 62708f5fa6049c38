// Writes types.ts from the JSON schema of all requests and answers, which
// `python -m mle_modernizer_server.web.schema` writes.
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

const schema = JSON.parse(readFileSync(SCHEMA, 'utf-8'));
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
    if (property.$ref) {
      definition.properties[key] = { $ref: property.$ref };
    }
  }
}

const source = await compile(schema, ROOT, {
  additionalProperties: false,
  bannerComment:
    '// Made by `jlpm generate:types` from the schema of the server part. Do not edit.',
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
);
