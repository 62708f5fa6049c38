import * as React from 'react';

import type { ScoreReading } from '../../api/types';
import { useTrans } from '../../ui/context';
import { CheckBox, Choice, TextInput } from '../../ui/fields';
import type { IModelProps } from '../../review/useModel';

const LONGEST = 40;
const ANY_OUTPUT: ScoreReading = {
  cell_id: null,
  pattern: '{}',
  which: 'last'
};

/** The output with the score if no submission is graded. */
export function ScoreSettings({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { score_reading: reading, target_kind: kind } = model.draft;
  const last = React.useRef(ANY_OUTPUT);
  last.current = reading ?? last.current;
  const edit = (change: Partial<ScoreReading>) =>
    model.edit({ score_reading: { ...last.current, ...change } });
  return (
    <>
      <CheckBox
        label={trans.__(
          'Read the score from an output where no submission is graded'
        )}
        help={trans.__('For notebooks that print a score and write no CSV.')}
        isChecked={reading !== null}
        onChange={reads =>
          reads ? edit({}) : model.edit({ score_reading: null })
        }
      />
      {reading && (
        <>
          <Choice
            label={trans.__('Output of')}
            help={trans.__('Which cell prints it.')}
            value={reading.cell_id ?? ''}
            options={cellOptions(
              model,
              trans.__('all cells'),
              trans.__('a cell that is gone'),
              (cell, text) =>
                text
                  ? trans.__('Cell %1: %2', cell, text)
                  : trans.__('Cell %1', cell)
            )}
            onChange={cell => edit({ cell_id: cell || null })}
          />
          <TextInput
            label={trans.__('Text around the number')}
            help={trans.__('{} stands for the number.')}
            placeholder={trans.__('Validation AUC: {}')}
            value={reading.pattern}
            error={model.checkedDraft.errors.score_reading}
            onChange={pattern => edit({ pattern })}
          />
          <Choice
            label={trans.__('Of several')}
            help={trans.__(
              'Which one counts if the text is printed more than once.'
            )}
            value={reading.which}
            options={[
              ['last', trans.__('the last')],
              ['best', trans.__('the best')]
            ]}
            onChange={which => edit({ which: which as ScoreReading['which'] })}
          />
          {kind !== 'printed' && (
            <p className="jp-mle-Hint">
              {trans.__(
                'A printed score is compared only with a printed target.'
              )}
            </p>
          )}
        </>
      )}
    </>
  );
}

/**
 * Return all cells, each code cell by its name and its last line, and the
 * chosen one even if it was deleted.
 */
function cellOptions(
  { document, draft, places }: IModelProps['model'],
  all: string,
  gone: string,
  label: (cell: string, text: string) => string
): [string, string][] {
  const cells = document.shared.cells
    .filter(cell => cell.cell_type === 'code')
    .map((cell): [string, string] => {
      const lines = cell.getSource().trim().split('\n');
      const last = lines.length > 1 ? lines[lines.length - 1] : '';
      const id = cell.getId();
      return [id, label(places.name(id) ?? id, last.slice(0, LONGEST))];
    });
  const chosen = draft.score_reading?.cell_id ?? null;
  if (chosen !== null && !cells.some(([id]) => id === chosen)) {
    const name = places.name(chosen);
    cells.push([chosen, name === null ? gone : label(name, '')]);
  }
  return [['', all], ...cells];
}
