import { Dialog, ReactWidget } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Exchange, LlmInfo, PromptPreview } from '../api/types';
import type { ModelAnswer } from '../session/options';
import { PanelContext } from '../ui/context';
import { ExchangeText, Loaded, PromptText } from './SentText';

/**
 * Show a preview of the request to a model.
 *
 * @param load - Reads it from the server.
 */
export async function showPrompt(
  load: () => Promise<PromptPreview>,
  trans: TranslationBundle
): Promise<void> {
  await show(
    trans.__('What is sent'),
    <Loaded load={load}>{preview => <PromptText preview={preview} />}</Loaded>,
    trans
  );
}

/**
 * Show the requests to models and their responses.
 *
 * @param load - Reads them from the server.
 */
export async function showExchanges(
  load: () => Promise<readonly Exchange[]>,
  trans: TranslationBundle
): Promise<void> {
  await show(
    trans.__('What was sent and answered'),
    <Loaded load={load}>
      {exchanges => <ExchangeText exchanges={exchanges} />}
    </Loaded>,
    trans
  );
}

/**
 * Ask for consent to send a notebook to a model, with a preview of the text.
 *
 * @param preview - Reads the exact text; null before the first run, when the
 *   dialog describes it.
 */
export async function askToSend(
  info: LlmInfo,
  preview: (() => Promise<PromptPreview>) | null,
  trans: TranslationBundle
): Promise<{ answer: ModelAnswer; isRemembered: boolean }> {
  const body = content(
    <>
      <p>
        {trans.__(
          'If the rules find no fix, the model %1 may be asked. It is sent:',
          info.model
        )}
      </p>
      <ul className="jp-mle-Sent-facts">
        <li>
          {trans.__('the text of all cells, with keys and passwords masked')}
        </li>
        <li>
          {trans.__(
            'the errors with the types, shapes and column names involved, and library versions'
          )}
        </li>
        <li>
          {trans.__(
            'the target score, and how the notebook’s score compares with it'
          )}
        </li>
        <li>
          {trans.__(
            'the task description and, of each data file, its name, size, columns and first two rows'
          )}
        </li>
      </ul>
      <p>
        {trans.__(
          'All other data, the private answers and your keys stay here. You can read every call afterwards in the history.'
        )}
      </p>
      {preview && (
        <details>
          <summary>{trans.__('The text that would be sent now')}</summary>
          <Loaded load={preview}>
            {loaded => <PromptText preview={loaded} />}
          </Loaded>
        </details>
      )}
    </>,
    trans
  );
  const rules = Dialog.createButton({
    label: trans.__('Use rules only'),
    accept: false
  });
  const dialog = new Dialog({
    title: trans.__('Send this notebook to a model?'),
    body,
    buttons: [
      Dialog.cancelButton(),
      rules,
      Dialog.okButton({ label: trans.__('Send it when needed') })
    ],
    defaultButton: 1,
    checkbox: {
      label: trans.__('Do not ask again'),
      caption: trans.__('Can be changed in the settings of MLE Modernizer'),
      checked: false
    }
  });
  dialog.addClass('jp-mle-SentDialog');
  const { button, isChecked } = await dialog.launch();
  if (button.accept) {
    return { answer: 'send', isRemembered: isChecked === true };
  }
  const answer = button.label === rules.label ? 'rules-only' : 'cancel';
  return { answer, isRemembered: false };
}

async function show(
  title: string,
  text: JSX.Element,
  trans: TranslationBundle
): Promise<void> {
  const dialog = new Dialog({
    title,
    body: content(text, trans),
    hasClose: true,
    buttons: [Dialog.okButton({ label: trans.__('Close') })]
  });
  dialog.addClass('jp-mle-SentDialog');
  await dialog.launch();
}

function content(text: JSX.Element, trans: TranslationBundle): ReactWidget {
  const body = ReactWidget.create(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: () => undefined }}
    >
      {text}
    </PanelContext.Provider>
  );
  body.addClass('jp-mle-Sent');
  return body;
}
