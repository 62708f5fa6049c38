import * as React from 'react';

import type { Block, BlockRole, RoleChoice } from '../../api/types';
import { type IModelProps, useIdle } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';
import { BLOCK_ROLES } from '../../words/improvement';
import { labelOf } from '../../words/message';

/** Properties of the list of blocks. */
export interface IBlocksProps extends IModelProps {
  /** The blocks, or null before they are requested. */
  blocks: readonly Block[] | null;
  /** The user's roles that differ from the inferred ones. */
  roles: readonly RoleChoice[];
  /** Called with the blocks that the server found. */
  onBlocks: (blocks: readonly Block[]) => void;
  /** Called with the roles after a correction. */
  onRoles: (roles: readonly RoleChoice[]) => void;
}

/**
 * The parts of the notebook with their roles, which the user may correct before
 * a search.
 */
export function Blocks(props: IBlocksProps): JSX.Element {
  const trans = useTrans();
  const { blocks, model, onBlocks, onRoles, roles } = props;
  const isIdle = useIdle(model);
  if (blocks === null) {
    return (
      <Button
        look="link"
        label={trans.__('Show what each part does')}
        caption={trans.__(
          'List the parts of the notebook with their roles; nothing runs'
        )}
        isEnabled={isIdle}
        onClick={async () => {
          const found = await model.actions.blocks();
          if (found) {
            onBlocks(found.blocks);
          }
        }}
      />
    );
  }
  const choose = (block: Block, role: BlockRole) => {
    const others = roles.filter(one => !isOf(one, block));
    const { cell_id, text } = block;
    onRoles(
      role === block.role ? others : [...others, { cell_id, text, role }]
    );
  };
  return (
    <>
      <h4>{trans.__('Parts of the notebook')}</h4>
      <p className="jp-mle-Hint">
        {trans.__(
          'The search goes by these roles. Correct one if the code shows it wrongly.'
        )}
      </p>
      <table className="jp-mle-Improve-blocks">
        <tbody>
          {blocks.map(block => {
            const corrected = roles.find(one => isOf(one, block));
            return (
              <tr key={block.number}>
                <th scope="row">
                  {trans.__(
                    'Cell %1, line %2',
                    model.places.nameAt(block.cell) ?? block.cell,
                    block.first
                  )}
                </th>
                <td>
                  <select
                    className="jp-mle-Select"
                    aria-label={trans.__('Role of part %1', block.number)}
                    value={corrected?.role ?? block.role}
                    onChange={event =>
                      choose(block, event.target.value as BlockRole)
                    }
                  >
                    {BLOCK_ROLES.map(role => (
                      <option key={role} value={role}>
                        {labelOf('block-role', role, trans)}
                      </option>
                    ))}
                  </select>
                  {corrected && (
                    <span className="jp-mle-Hint">{trans.__('corrected')}</span>
                  )}
                </td>
                <td>
                  <code>{block.text}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function isOf(choice: RoleChoice, block: Block): boolean {
  return choice.cell_id === block.cell_id && choice.text === block.text;
}
