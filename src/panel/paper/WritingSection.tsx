import * as React from 'react';

import type { SessionWriting } from '../../api/types';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { isReproduction } from '../../session/document/recorded';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import { Section } from '../../ui/Section';
import { stageEnding, type WrittenStage } from '../../words/papers';
import { costText, tokensText } from '../../words/usage';
import { labelOf } from '../../words/message';

/**
 * A model writes the notebook of a paper's experiment; nothing for other notebooks.
 */
export function WritingSection({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  const found = session?.writing ?? null;
  if (!isReproduction(model.document.shared.metadata)) {
    return null;
  }
  const { configured, reason } = model.info.llm;
  const goesOn = found !== null && !found.ran;
  return (
    <Section title={trans.__('Reproduce the paper')}>
      <p className="jp-mle-Hint">
        {trans.__(
          'A model fills in data, method, training and evaluation, stage by stage. Each stage is tried on a sample before the next, and the whole is run on all data. It is not told what the paper claims.'
        )}
      </p>
      {found && <Stages found={found} />}
      {configured ? (
        <div className="jp-mle-Actions">
          <Button
            label={
              goesOn ? trans.__('Go on writing') : trans.__('Have it written')
            }
            caption={trans.__(
              'Say what it will probably cost, then have a model write the notebook for your review'
            )}
            isEnabled={isIdle}
            onClick={() => void model.actions.writeReproduction()}
          />
        </div>
      ) : (
        <p className="jp-mle-Hint">{reason}</p>
      )}
    </Section>
  );
}

function Stages({ found }: { found: SessionWriting }): JSX.Element {
  const trans = useTrans();
  return (
    <>
      <ol
        className="jp-mle-Paper-list"
        aria-label={trans.__('Stages of writing')}
      >
        {found.stages.map(stage => (
          <Stage key={stage.stage} stage={stage} />
        ))}
      </ol>
      <p className="jp-mle-Hint">
        {[tokensText(found.usage, trans), costText(found.usage, trans)].join(
          ' · '
        )}
      </p>
    </>
  );
}

function Stage({ stage }: { stage: WrittenStage }): JSX.Element {
  const trans = useTrans();
  const [word, tone] = stageEnding(stage, trans);
  return (
    <li>
      <span>
        {labelOf('writing-stage', stage.stage, trans)}{' '}
        <Chip tone={tone}>{word}</Chip>{' '}
        {trans._n('%1 question', '%1 questions', stage.rounds)}
      </span>
      {stage.problem && (
        <pre className="jp-mle-Traceback" tabIndex={0}>
          {stage.problem}
        </pre>
      )}
    </li>
  );
}
