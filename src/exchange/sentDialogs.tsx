import { Dialog, ReactWidget } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Exchange, PromptPreview } from '../api/types';
import { PanelContext } from '../ui/context';
import { ExchangeText, Loaded, PromptText } from './SentText';

/**
 * Shows what a model would be sent.
 *
 * @param load - Asks the server.
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
 * Shows what models were sent and answered.
 *
 * @param load - Asks the server.
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

async function show(
  title: string,
  content: JSX.Element,
  trans: TranslationBundle
): Promise<void> {
  const body = ReactWidget.create(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: () => undefined }}
    >
      {content}
    </PanelContext.Provider>
  );
  body.addClass('jp-mle-Sent');
  const dialog = new Dialog({
    title,
    body,
    hasClose: true,
    buttons: [Dialog.okButton({ label: trans.__('Close') })]
  });
  dialog.addClass('jp-mle-SentDialog');
  await dialog.launch();
}
