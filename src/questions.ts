import { Dialog, showDialog } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { LlmInfo, PromptPreview, WritingEstimate } from './api/types';
import type { IPreferences } from './session/form/preferences';
import type { IQuestions, ModelAnswer } from './session/options';
import { writingCost } from './words/papers';

/** Options of the questions. */
export interface IQuestionsOptions {
  /** The user's settings; a setting can be the answer. */
  preferences: () => IPreferences;
  /** Store the consent as a setting. */
  remember: (name: 'allowUnisolated' | 'allowModel') => Promise<void>;
  /** For the sentences. */
  trans: TranslationBundle;
}

/** Questions to the user, as JupyterLab's dialogs. */
export class Questions implements IQuestions {
  constructor(private readonly _options: IQuestionsOptions) {}

  async runUnisolated(sandbox: string): Promise<boolean> {
    const { preferences, remember, trans } = this._options;
    if (preferences().allowUnisolated) {
      return true;
    }
    const { button, isChecked } = await showDialog({
      title: trans.__('Run without isolation?'),
      body: trans.__(
        'The sandbox “%1” is a plain process: the notebook can read and change your files and reach the network. Run only notebooks you trust.',
        sandbox
      ),
      buttons: [
        Dialog.cancelButton(),
        Dialog.warnButton({ label: trans.__('Run') })
      ],
      defaultButton: 0,
      checkbox: {
        label: trans.__('Do not ask again'),
        caption: trans.__('Can be changed in the settings of MLE Modernizer')
      }
    });
    if (button.accept && isChecked) {
      await remember('allowUnisolated');
    }
    return button.accept;
  }

  async runWithNetwork(): Promise<boolean> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans.__('Let this notebook reach the network?'),
      body: trans.__(
        'Its runs can reach public web servers and send them whatever they read, including your data beside the notebook. This machine and its network stay out of reach. After each run you see which servers were reached. Scores found this way are marked.'
      ),
      buttons: [
        Dialog.cancelButton(),
        Dialog.warnButton({ label: trans.__('Allow and run') })
      ],
      defaultButton: 0
    });
    return button.accept;
  }

  async runWithout(changes: number): Promise<boolean> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans._n(
        'Run without this change?',
        'Run without these %1 changes?',
        changes
      ),
      body: trans._n(
        'It has not been reviewed. The notebook runs as it is now; what is still wrong is proposed again afterwards.',
        'They have not been reviewed. The notebook runs as it is now; what is still wrong is proposed again afterwards.',
        changes
      ),
      buttons: [
        Dialog.cancelButton({ label: trans.__('Back to the review') }),
        Dialog.okButton({
          label: trans._n('Run without it', 'Run without them', changes)
        })
      ]
    });
    return button.accept;
  }

  async runFinished(): Promise<boolean> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans.__('Modernize it again?'),
      body: trans.__(
        'This notebook has been modernized, and its code is unchanged since. A run in the sandbox shows whether the result is still the same.'
      ),
      buttons: [
        Dialog.cancelButton(),
        Dialog.okButton({ label: trans.__('Run it') })
      ]
    });
    return button.accept;
  }

  async deleteSession(name: string): Promise<boolean> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans.__('Delete this session?'),
      body: trans.__(
        'The runs, scores, outputs and proposals of the session of %1 are permanently deleted. The notebook is unchanged.',
        name
      ),
      buttons: [
        Dialog.cancelButton(),
        Dialog.warnButton({ label: trans.__('Delete') })
      ],
      defaultButton: 0
    });
    return button.accept;
  }

  async writePaper(estimate: WritingEstimate): Promise<boolean> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans.__('Have %1 write this notebook?', estimate.model),
      body: trans.__(
        '%1 The paper’s text is sent, without the numbers it claims. Each stage runs in the sandbox before the next begins. Nothing enters the notebook before you have reviewed it.',
        writingCost(estimate, trans)
      ),
      buttons: [
        Dialog.cancelButton(),
        Dialog.okButton({ label: trans.__('Write') })
      ]
    });
    return button.accept;
  }

  async startOver(): Promise<boolean> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans.__('Begin a new session?'),
      body: trans.__(
        'This one stays in the History with its runs, scores and proposals, and can be opened again. The notebook itself is unchanged.'
      ),
      buttons: [
        Dialog.cancelButton(),
        Dialog.okButton({ label: trans.__('New session') })
      ]
    });
    return button.accept;
  }

  async sendToModel(
    info: LlmInfo,
    preview: (() => Promise<PromptPreview>) | null
  ): Promise<ModelAnswer> {
    const { preferences, remember, trans } = this._options;
    if (preferences().allowModel) {
      return 'send';
    }
    const { askToSend } = await import('./exchange/sentDialogs');
    const answer = await askToSend(info, preview, trans);
    if (answer.isRemembered) {
      await remember('allowModel');
    }
    return answer.answer;
  }
}
