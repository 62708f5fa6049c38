import type {
  DetectAnswer,
  ServerInfo,
  Session,
  SessionSettings
} from '../../api/types';
import { toNotebook } from '../document/document';
import type { ISessionOptions } from '../options';
import { recordedSettings } from '../document/recorded';
import { checkDraft, type ICheckedDraft, type SettingTexts } from './settings';

/**
 * The user's goal and method before they are sent: preset by the server's
 * defaults, the user's preferences and the notebook itself.
 */
export class SettingsForm {
  /**
   * @param _options - The notebook, the server, and the earlier settings.
   * @param _onChange - Called after every change.
   */
  constructor(
    private readonly _options: ISessionOptions,
    private readonly _onChange: () => void
  ) {
    this._info = _options.info;
    this._draft = {
      ...this._info.defaults,
      ..._options.preferences,
      ...recordedSettings(
        _options.document.shared.metadata,
        this._info.competitions.map(competition => competition.id)
      )
    };
  }

  /** Capabilities of the server. */
  get info(): ServerInfo {
    return this._info;
  }

  set info(info: ServerInfo) {
    this._info = info;
    this._onChange();
  }

  /** The settings as edited; a typed number that cannot be read is NaN. */
  get draft(): SessionSettings {
    return this._draft;
  }

  /** The texts of fields whose settings have not changed since they were typed. */
  get typed(): SettingTexts {
    return this._typed;
  }

  /** The fields, checked. */
  get checked(): ICheckedDraft {
    return checkDraft(this._draft, this._options.trans);
  }

  /** Competition and scores that the server found in the notebook. */
  get detected(): DetectAnswer | null {
    return this._detected;
  }

  /**
   * Change settings.
   *
   * @param typed - Their texts if they were typed.
   */
  edit(change: Partial<SessionSettings>, typed: SettingTexts = {}): void {
    const names = Object.keys(change).map(name => [name, undefined]);
    this._draft = { ...this._draft, ...change };
    this._typed = { ...this._typed, ...Object.fromEntries(names), ...typed };
    this._onChange();
  }

  /** Display other settings: from a second tab, or as this form requested. */
  follow(settings: SessionSettings): void {
    this._draft = settings;
    this._typed = {};
  }

  /**
   * Detect the competition and the scores that the notebook mentions.
   *
   * @param session - If there is one, its competition applies.
   */
  async detect(session: Session | null): Promise<void> {
    const { client, document } = this._options;
    this._detected = await client.detect({
      notebook: toNotebook(document),
      path: document.path
    });
    const { competition } = this._detected;
    if (!session && competition && this._draft.competition === null) {
      this._draft = { ...this._draft, competition };
    }
    this._onChange();
  }

  private _info: ServerInfo;
  private _draft: SessionSettings;
  private _typed: SettingTexts = {};
  private _detected: DetectAnswer | null = null;
}
