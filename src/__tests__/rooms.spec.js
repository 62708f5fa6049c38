const fs = require('fs');
const path = require('path');

const SRC = path.join(__dirname, '..');

/** The rooms from the ground up: each imports only from those before it, and from itself. */
const ROOMS = [
  'api',
  'session',
  'words',
  'ui',
  'review',
  'finish',
  'exchange',
  'statistics',
  'paper',
  'batch',
  'panel'
];

const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g;

/** The files each file imports, types included. */
function imports() {
  const files = fs
    .readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter(name => /(?<!\.d)\.tsx?$/.test(name) && !/__tests__/.test(name));
  const known = new Set(files);
  return new Map(
    files.map(file => {
      const text = fs.readFileSync(path.join(SRC, file), 'utf8');
      const found = [...text.matchAll(IMPORT)].flatMap(([, name]) => {
        const base = path.join(path.dirname(file), name);
        return [`${base}.ts`, `${base}.tsx`].filter(item => known.has(item));
      });
      return [file, found];
    })
  );
}

/** The first circle of imports, as its files; empty where there is none. */
function circle(graph) {
  const done = new Set();
  const walk = (file, way) => {
    const at = way.indexOf(file);
    if (at >= 0) {
      return [...way.slice(at), file];
    }
    if (done.has(file)) {
      return [];
    }
    for (const next of graph.get(file) ?? []) {
      const found = walk(next, [...way, file]);
      if (found.length > 0) {
        return found;
      }
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const found = walk(file, []);
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

function room(file) {
  const [first, ...rest] = file.split(path.sep);
  return rest.length > 0 ? first : null;
}

describe('the rooms of the front end', () => {
  const graph = imports();

  it('have no circle of imports', () => {
    expect(graph.size).toBeGreaterThan(50);
    expect(circle(graph)).toEqual([]);
  });

  it('see a circle where there is one', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']]
    ]);
    expect(circle(graph)).toEqual(['b', 'c', 'b']);
  });

  it('import only from those below', () => {
    const backwards = [...graph].flatMap(([file, found]) =>
      found
        .filter(other => {
          const [here, there] = [room(file), room(other)];
          return (
            here !== null &&
            there !== null &&
            ROOMS.indexOf(there) > ROOMS.indexOf(here)
          );
        })
        .map(other => `${file} → ${other}`)
    );
    expect(backwards).toEqual([]);
  });

  it('are all known', () => {
    const found = new Set([...graph.keys()].map(room).filter(name => name));
    expect([...found].sort()).toEqual([...ROOMS].sort());
  });
});
