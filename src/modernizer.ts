import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type { ModernizerClient } from './api/client';
import { type ServerState, shakeHands } from './api/handshake';
import type { SessionHints } from './api/hints';
import type { ServerInfo } from './api/types';
import { Questions } from './questions';
import type { IModernizer } from './tokens';
import { LiveDocument } from './session/document/document';
import type { Modernization } from './review/modernization';
import { type IPreferences, readPreferences } from './session/form/preferences';

/**
 * Creates the model of every open notebook, once the server part has answered.
 */
export class Modernizer implements IModernizer, IDisposable {
  constructor(options: Modernizer.IOptions) {
    this._client = options.client;
    this._hints = options.hints;
    this._tracker = options.tracker;
    this._trans = options.trans;
    this._questions = new Questions({
      preferences: () => this._preferences,
      remember: async name => {
        await this._settings?.set(name, true);
      },
      trans: options.trans
    });
    this._tracker.currentChanged.connect(this._onCurrent, this);
  }

  get server(): ServerState {
    return this._server;
  }

  get current(): Modernization | null {
    const panel = this._tracker.currentWidget;
    return panel ? (this._models.get(panel) ?? null) : null;
  }

  get hasNotebook(): boolean {
    return this._tracker.currentWidget !== null;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get added(): ISignal<this, Modernization> {
    return this._added;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  get preferences(): IPreferences {
    return this._preferences;
  }

  /** Read the settings, then look for the server part. */
  async start(settings: ISettingRegistry.ISettings | null): Promise<void> {
    if (settings) {
      this._settings = settings;
      this._onSettings(settings);
      settings.changed.connect(this._onSettings, this);
    }
    await this.connect();
  }

  find(path: string): Modernization | null {
    for (const model of this._models.values()) {
      if (model.document.path === path) {
        return model;
      }
    }
    return null;
  }

  panelOf(model: Modernization): NotebookPanel | null {
    return (
      this._tracker.find(panel => this._models.get(panel) === model) ?? null
    );
  }

  async connect(): Promise<void> {
    this._server = { kind: 'connecting' };
    this._changed.emit();
    this._server = await shakeHands(this._client, this._trans);
    this._changed.emit();
    this._onCurrent();
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._hints.dispose();
    Signal.clearData(this);
  }

  private _onSettings(settings: ISettingRegistry.ISettings): void {
    this._preferences = readPreferences(settings);
    this._changed.emit();
  }

  private _onCurrent(): void {
    const panel = this._tracker.currentWidget;
    if (panel && !this._models.has(panel)) {
      void this._add(panel);
    }
    this._changed.emit();
  }

  private async _add(panel: NotebookPanel): Promise<void> {
    await panel.context.ready;
    const { Modernization } = await import('./review/modernization');
    if (
      this._server.kind !== 'ready' ||
      panel.isDisposed ||
      this._models.has(panel)
    ) {
      return;
    }
    const document = new LiveDocument(panel);
    const model = new Modernization({
      client: this._client,
      document,
      hints: this._hints,
      info: this._server.info,
      preferences: this._preferences.session,
      questions: this._questions,
      trans: this._trans
    });
    this._models.set(panel, model);
    model.renewed.connect(this._onRenewed, this);
    panel.disposed.connect(() => {
      this._models.delete(panel);
      model.dispose();
      document.dispose();
    });
    this._added.emit(model);
    this._changed.emit();
    await model.load();
  }

  /**
   * Pass server information that one notebook's model has read to the others.
   */
  private _onRenewed(sender: Modernization, info: ServerInfo): void {
    if (this._server.kind === 'ready') {
      this._server = { ...this._server, info };
    }
    for (const model of this._models.values()) {
      if (model !== sender) {
        model.takeInfo(info);
      }
    }
  }

  private readonly _client: ModernizerClient;
  private readonly _hints: SessionHints;
  private readonly _tracker: INotebookTracker;
  private readonly _trans: TranslationBundle;
  private readonly _questions: Questions;
  private readonly _models = new Map<NotebookPanel, Modernization>();
  private readonly _changed = new Signal<this, void>(this);
  private readonly _added = new Signal<this, Modernization>(this);
  private _server: ServerState = { kind: 'connecting' };
  private _preferences: IPreferences = readPreferences(null);
  private _settings: ISettingRegistry.ISettings | null = null;
  private _isDisposed = false;
}

/**
 * Names around {@link Modernizer}.
 */
export namespace Modernizer {
  /** Options of the modernizer. */
  export interface IOptions {
    /** The server part's routes. */
    client: ModernizerClient;
    /** Hints of changes on the server. */
    hints: SessionHints;
    /** The notebooks that are open. */
    tracker: INotebookTracker;
    /** For the sentences. */
    trans: TranslationBundle;
  }
}
