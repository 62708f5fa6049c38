import * as React from 'react';

import type { LearnedRule, LearnedRules as Found } from '../../api/types';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';
import { download } from '../../ui/download';
import { Section } from '../../ui/Section';

/**
 * Rules learned from a model's fixes: they fix the same call in every other
 * notebook at no cost.
 */
export function LearnedRules({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  const [found, take] = React.useState<Found | null>(null);
  const latest = session?.iterations.length ?? 0;
  React.useEffect(() => take(null), [session?.id, latest]);
  const wasAsked = session?.iterations.some(run =>
    run.reviews.some(review => review.proposal.fixer === 'llm')
  );
  if (!wasAsked) {
    return null;
  }
  const look = async (keep?: string) => {
    const answer = await model.actions.learnedRules(keep);
    take(before => answer ?? before);
  };
  return (
    <Section title={trans.__('Rules from the model’s fixes')} isFolded>
      <p className="jp-mle-Hint">
        {trans.__(
          'A fix that worked can become a rule: the same call in another notebook is then fixed without a model.'
        )}
      </p>
      {found === null ? (
        <Button
          look="link"
          label={trans.__('Look for rules')}
          caption={trans.__(
            'Compare what the model’s fixes changed, and keep what they have in common'
          )}
          isEnabled={isIdle}
          onClick={() => void look()}
        />
      ) : (
        <>
          {found.rules.length === 0 && (
            <p role="status">
              {trans.__(
                'None of them is a change to a call that would be correct in other notebooks.'
              )}
            </p>
          )}
          <ul className="jp-mle-Learned">
            {found.rules.map(rule => (
              <Learned
                key={rule.id}
                rule={rule}
                isKept={found.kept.includes(rule.id)}
                onKeep={found.folder ? () => void look(rule.id) : null}
              />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** Properties of one rule. */
interface ILearnedProps {
  /** The rule. */
  rule: LearnedRule;
  /** It is in use already. */
  isKept: boolean;
  /** Saves it into the user's folder of rules; null if there is none. */
  onKeep: (() => void) | null;
}

function Learned({ rule, isKept, onKeep }: ILearnedProps): JSX.Element {
  const trans = useTrans();
  return (
    <li>
      <code>{rule.old}</code> → <code>{rule.new}</code>{' '}
      {trans._n('(%1 place)', '(%1 places)', rule.places)}
      <p className="jp-mle-Hint">
        {rule.tried
          ? trans.__('The original code ran with %1.', rule.tried)
          : trans.__(
              'It is not known whether the original code ran with older libraries: “Find the target” runs the notebook in the original ones.'
            )}
      </p>
      <details>
        <summary>{trans.__('The rule')}</summary>
        <pre tabIndex={0}>{rule.content}</pre>
      </details>
      <div className="jp-mle-Actions">
        {isKept ? (
          <span role="status">{trans.__('In use')}</span>
        ) : (
          onKeep && (
            <Button
              label={trans.__('Keep')}
              caption={trans.__(
                'Save it in the folder with your own rules; it is in use from now on'
              )}
              onClick={onKeep}
            />
          )
        )}
        <Button
          look="quiet"
          label={trans.__('Download')}
          caption={trans.__('Download the rule as a YAML file')}
          onClick={() =>
            download(
              new Blob([rule.content], { type: 'application/yaml' }),
              `${rule.id}.yaml`
            )
          }
        />
      </div>
    </li>
  );
}
