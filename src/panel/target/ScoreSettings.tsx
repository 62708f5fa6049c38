import * as React from 'react';

import type { IDraft } from '../../session/form/settings';
import { useTrans } from '../../ui/context';
import { CheckBox, Choice } from '../../ui/fields';
import { TypedInput } from './TypedInput';
import type { IModelProps } from '../../review/useModel';

const LONGEST = 40;

/**
 * How scores are compared, and the output with the score if no submission is
 * graded.
 */
export function ScoreSettings({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { draft } = model;
  return (
    <>
      <Choice
        label={trans.__('Threshold is a share of')}
        help={trans.__(
          'The floor is what the sample submission or the best constant prediction scores.'
        )}
        value={draft.distance}
        options={[
          ['target', trans.__('the target score')],
          ['floor', trans.__('what the target is above the floor')]
        ]}
        onChange={distance =>
          model.edit({ distance: distance as IDraft['distance'] })
        }
      />
      <Choice
        label={trans.__('The target score was')}
        help={trans.__(
          'Only scores of the same kind are compared: a leaderboard score is not a validation score.'
        )}
        value={draft.targetKind}
        options={[
          ['graded', trans.__('graded (a leaderboard, the answers)')],
          ['printed', trans.__('printed by a cell, e.g. a validation score')],
          ['typed', trans.__('typed, from somewhere else')]
        ]}
        onChange={kind =>
          model.edit({ targetKind: kind as IDraft['targetKind'] })
        }
      />
      <CheckBox
        label={trans.__(
          'Read the score from an output where no submission is graded'
        )}
        help={trans.__('For notebooks that print a score and write no CSV.')}
        isChecked={draft.readsScore}
        onChange={readsScore => model.edit({ readsScore })}
      />
      {draft.readsScore && (
        <>
          <Choice
            label={trans.__('Output of')}
            help={trans.__('Which cell prints it.')}
            value={draft.scoreCell ?? ''}
            options={cellOptions(
              model,
              trans.__('all cells'),
              trans.__('a cell that is gone'),
              (cell, text) =>
                text
                  ? trans.__('Cell %1: %2', cell, text)
                  : trans.__('Cell %1', cell)
            )}
            onChange={cell => model.edit({ scoreCell: cell || null })}
          />
          <TypedInput
            model={model}
            name="scorePattern"
            label={trans.__('Text around the number')}
            help={trans.__('{} stands for the number.')}
            placeholder={trans.__('Validation AUC: {}')}
          />
          <Choice
            label={trans.__('Of several')}
            help={trans.__(
              'Which one counts if the text is printed more than once.'
            )}
            value={draft.scoreWhich}
            options={[
              ['last', trans.__('the last')],
              ['best', trans.__('the best')]
            ]}
            onChange={which =>
              model.edit({ scoreWhich: which as IDraft['scoreWhich'] })
            }
          />
          {draft.targetKind !== 'printed' && (
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
  const chosen = draft.scoreCell;
  if (chosen !== null && !cells.some(([id]) => id === chosen)) {
    const name = places.name(chosen);
    cells.push([chosen, name === null ? gone : label(name, '')]);
  }
  return [['', all], ...cells];
}
