import { ReactWidget } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import { modernizeIcon } from '../ui/icons';

/**
 * The guide in a tab: effects of the product, its limits, destinations of data,
 * keys.
 */
export class GuideWidget extends ReactWidget {
  constructor(private readonly _trans: TranslationBundle) {
    super();
    this.id = 'mle-modernizer-guide';
    this.addClass('jp-mle-WideReview');
    this.title.icon = modernizeIcon;
    this.title.label = this._trans.__('MLE Modernizer');
    this.title.closable = true;
  }

  protected override render(): JSX.Element {
    return <Guide trans={this._trans} />;
  }
}

function Guide({ trans }: { trans: TranslationBundle }): JSX.Element {
  const keys: readonly (readonly [string, string])[] = [
    ['J / K', trans.__('next and previous change')],
    ['A / R', trans.__('accept or reject the change')],
    ['U', trans.__('take the last decision back')],
    ['Shift A / Shift R', trans.__('accept or reject all changes')],
    ['Ctrl Alt M', trans.__('modernize the notebook')]
  ];
  return (
    <div className="jp-mle-Guide">
      <h2>{trans.__('Make an old notebook run again')}</h2>
      <ol>
        <li>
          {trans.__(
            'Open the notebook. The panel in the right sidebar shows for which library versions it was written and what will break today.'
          )}
        </li>
        <li>
          {trans.__(
            'Choose the competition whose data it reads and the score it once had, if you know them.'
          )}
        </li>
        <li>
          {trans.__(
            'Press Modernize. A copy runs in a sandbox; the panel shows errors and how far the score is off, and proposes changes.'
          )}
        </li>
        <li>
          {trans.__(
            'Accept or reject each change, and run again until the score is reproduced.'
          )}
        </li>
      </ol>
      <h3>{trans.__('What never happens automatically')}</h3>
      <ul>
        <li>
          {trans.__(
            'Your notebook changes only where you accept a change, and you can undo it.'
          )}
        </li>
        <li>
          {trans.__(
            'A language model is asked only if one is configured, and only after you have agreed to what is sent.'
          )}
        </li>
      </ul>
      <h3>{trans.__('Where data goes')}</h3>
      <p>
        {trans.__(
          'Each competition is a folder below the data directory of the server, with the input files and the answers that the score is computed from. In the sandbox a notebook finds it as ../input/<competition>. With your own labelled data, select no competition and use “Make one from labelled data”.'
        )}
      </p>
      <h3>{trans.__('Connect a language model')}</h3>
      <p>
        {trans.__(
          'A model is asked for fixes that no rule knows. Set these variables where the Jupyter server is started, and start it again: MLE_MODERNIZER_BASE_URL (an address that speaks OpenAI’s protocol; omit it for OpenAI), MLE_MODERNIZER_MODEL and MLE_MODERNIZER_API_KEY.'
        )}
      </p>
      <h3>{trans.__('Keys in a review')}</h3>
      <dl className="jp-mle-Facts">
        {keys.map(([key, meaning]) => (
          <React.Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </React.Fragment>
        ))}
      </dl>
    </div>
  );
}
