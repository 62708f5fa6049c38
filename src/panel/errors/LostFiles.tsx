import * as React from 'react';

import type { FileFinding } from '../../api/types';
import { CellLink } from '../../review/CellLink';
import { type IModelProps, useIdle } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { Choice } from '../../ui/fields';
import { useSignal, useTrans } from '../../ui/context';
import { messageText } from '../../words/message';

/** Properties of the list of missing files. */
interface ILostFilesProps extends IModelProps {
  /** The paths, with the candidates for each. */
  files: readonly FileFinding[];
}

/**
 * Missing paths: the substitute, or a choice if there are several candidates.
 */
export function LostFiles(props: ILostFilesProps): JSX.Element | null {
  const trans = useTrans();
  const { files, model } = props;
  useSignal(model.formChanged);
  const isIdle = useIdle(model);
  if (files.length === 0) {
    return null;
  }
  const open = files.filter(file => file.candidates.length > 1);
  const { file_choices: choices } = model.draft;
  return (
    <>
      <ul
        className="jp-mle-Remarks"
        aria-label={trans.__('Files that are not found')}
      >
        {files.map((file, index) => (
          <li key={index}>
            <CellLink model={model} cellId={file.cell_id} />{' '}
            <Lost file={file} />
          </li>
        ))}
      </ul>
      {[...new Map(open.map(file => [file.path, file])).values()].map(file => (
        <Choice
          key={file.path}
          label={trans.__('Which file is %1?', file.path)}
          value={choices[file.path] ?? ''}
          options={[
            ['', trans.__('Choose a file')],
            ...file.candidates.map(path => [path, path] as const)
          ]}
          onChange={path => choose(model, file.path, path)}
        />
      ))}
      {model.session !== null && open.some(file => choices[file.path]) && (
        <Button
          label={trans.__('Correct the paths')}
          isEnabled={isIdle}
          onClick={() =>
            void model.actions.proposeFix({
              fix_type: 'error-repair',
              scope: 'file',
              fixers: ['rules']
            })
          }
        />
      )}
    </>
  );
}

function Lost({ file }: { file: FileFinding }): JSX.Element {
  const trans = useTrans();
  if (file.written && file.taken !== null) {
    return (
      <>
        {trans.__(
          '%1 is in a folder that does not exist; it is written as %2.',
          file.path,
          file.taken
        )}
      </>
    );
  }
  if (file.taken !== null) {
    return (
      <>{trans.__('%1 does not exist; %2 is used.', file.path, file.taken)}</>
    );
  }
  if (file.outside) {
    const said = { code: 'files.outside', parameters: { path: file.path } };
    return <>{messageText(said, trans)}</>;
  }
  return file.candidates.length > 0 ? (
    <>{trans.__('%1 may be one of several files.', file.path)}</>
  ) : (
    <>
      {trans.__(
        '%1 does not exist, and no file of that name was found.',
        file.path
      )}
    </>
  );
}

function choose(
  model: IModelProps['model'],
  path: string,
  chosen: string
): void {
  const others = Object.entries(model.draft.file_choices).filter(
    ([name]) => name !== path
  );
  model.edit({
    file_choices: Object.fromEntries(
      chosen ? [...others, [path, chosen]] : others
    )
  });
}
