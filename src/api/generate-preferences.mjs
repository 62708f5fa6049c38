// Writes schema/plugin.json, what JupyterLab reads: src/plugin.json with the preferences among the
// server's settings, from the JSON schema that `python -m mle_modernizer_server.web.schema` writes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const at = path => new URL(`../../${path}`, import.meta.url);
const read = path => JSON.parse(readFileSync(at(path), 'utf-8'));

const { SessionSettings } = read('mle_modernizer_server/web/schema.json').$defs;
const preferences = Object.values(SessionSettings.properties)
  .filter(field => field.input?.preference)
  .map(field => [field.input.preference, preferenceOf(field)]);
const plugin = read('src/plugin.json');
plugin.properties = {
  ...Object.fromEntries(preferences),
  ...plugin.properties
};
mkdirSync(at('schema'), { recursive: true });
writeFileSync(at('schema/plugin.json'), `${JSON.stringify(plugin, null, 2)}\n`);

/** Return a setting as a preference: in the units that are displayed, 0 instead of null. */
function preferenceOf(field) {
  const { empty, help, label, labels, place, size, unit } = field.input;
  const [kind] = field.anyOf ?? [field];
  const group = place === 'main' ? 'fixing' : place;
  const heading = `${group[0].toUpperCase()}${group.slice(1)}`;
  const name = `${label[0].toLowerCase()}${label.slice(1)}`;
  const inUnits = value =>
    value === undefined ? value : Number((value / size).toPrecision(12));
  const texts = {
    title: `${heading}: ${name}${unit ? ` (${unit})` : ''}`,
    description: field.anyOf ? `${help} 0: ${empty}.` : help
  };
  if (typeof field.default === 'boolean') {
    return { ...texts, type: 'boolean', default: field.default };
  }
  if (typeof field.default === 'string') {
    const oneOf = labels.map(([value, title]) => ({ const: value, title }));
    return { ...texts, type: 'string', oneOf, default: field.default };
  }
  return {
    ...texts,
    type: kind.type,
    ...(field.anyOf
      ? { minimum: 0 }
      : {
          minimum: inUnits(kind.minimum),
          exclusiveMinimum: inUnits(kind.exclusiveMinimum)
        }),
    maximum: inUnits(kind.maximum),
    default: inUnits(field.default ?? 0)
  };
}
