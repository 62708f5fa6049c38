import type { TranslationBundle } from '@jupyterlab/translation';

import type { ScoreReading, SessionSettings } from '../../api/types';
import {
  type BudgetField,
  checkBudget,
  type IBudgetDraft,
  toBudgetDraft
} from './budget';

/** Default number of rows of a table in a sample. */
export const SAMPLE_ROWS = 2000;

const VERSION = '[A-Za-z_][\\w-]*[ =]+\\d+(\\.\\d+)*';
const ERA = new RegExp(`^((19|20)\\d\\d|${VERSION}(\\s*,\\s*${VERSION})*)$`);

/**
 * The target form as typed: numbers are text until they are checked.
 */
export interface IDraft extends IBudgetDraft {
  /** All settings as they were; those without a field here stay. */
  settings: SessionSettings;
  /** Slug, or null if only errors are to be fixed. */
  competition: string | null;
  /** The original score of the notebook. */
  targetScore: string;
  /** The replication threshold in percent. */
  threshold: string;
  /** Wall-clock limit of the notebook in minutes. */
  timeLimit: string;
  /** Maximum number of fixes in auto mode. */
  maxFixes: string;
  /** Sandbox name, or null for the best one there is. */
  sandbox: string | null;
  /** Who decides between two runs. */
  mode: SessionSettings['mode'];
  /** The files of the notebook's folder that a run can read. */
  filesBeside: SessionSettings['files_beside'];
  /** Whether runs may reach public web servers. */
  network: boolean;
  /** Whether runs may read the user's downloaded data and weights. */
  caches: boolean;
  /** The chosen file by path in the code, if several files have its name. */
  fileChoices: SessionSettings['file_choices'];
  /** Maximum scope of a single fix. */
  scope: SessionSettings['scope'];
  /** When the notebook was written, empty if inferred from the notebook. */
  era: string;
  /** Whether a sample of the data runs before the whole notebook. */
  rehearses: boolean;
  /** About how many rows of a table the sample has. */
  rehearsalRows: string;
  /** Processor time for the rules each time they examine the notebook, in seconds. */
  rulesSeconds: number;
  /** The Python and packages it runs with, null for an automatic choice. */
  environment: string | null;
  /**
   * Packages that the user named, for an environment created for the notebook.
   */
  packages: SessionSettings['packages'];
  /**
   * Megabytes of packages above which an environment is created only after a
   * question; null to never ask.
   */
  askAbove: number | null;
  /** Addresses of files that the user agreed to download. */
  resources: SessionSettings['resources'];
  /** Who proposes fixes, in this order. */
  fixers: SessionSettings['fixers'];
  /** Unit of the threshold. */
  distance: SessionSettings['distance'];
  /** Kind of the target score. */
  targetKind: SessionSettings['target_kind'];
  /** Whether the score is read from an output if no submission is graded. */
  readsScore: boolean;
  /** The cell whose output it is read from, null for all. */
  scoreCell: string | null;
  /** The text around the number, with {} in its place. */
  scorePattern: string;
  /** The one of several scores that counts. */
  scoreWhich: ScoreReading['which'];
  /** When auto mode measures before it asks for a calibration. */
  measureNoise: SessionSettings['measure_noise'];
  /** Number of runs in a measurement of the noise. */
  noiseRuns: number;
}

/**
 * The numbers of the form.
 */
export type NumberField =
  | 'targetScore'
  | 'threshold'
  | 'timeLimit'
  | 'maxFixes'
  | 'rehearsalRows'
  | BudgetField;

/**
 * The fields of the form that are typed.
 */
export type TypedField = NumberField | 'era' | 'scorePattern';

/**
 * A checked form: settings, or a sentence for each field that is wrong.
 */
export interface ICheckedDraft {
  /** The settings, null if a field is wrong. */
  settings: SessionSettings | null;
  /** Problems by field. */
  errors: Partial<Record<TypedField, string>>;
}

/** Return settings in the format of the form. */
export function toDraft(settings: SessionSettings): IDraft {
  const { target_score: target } = settings;
  return {
    settings,
    competition: settings.competition,
    targetScore: target === null ? '' : String(target),
    threshold: String(tidy(settings.threshold * 100)),
    timeLimit: String(tidy(settings.time_limit / 60)),
    maxFixes: String(settings.max_fixes),
    ...toBudgetDraft(settings),
    measureNoise: settings.measure_noise,
    noiseRuns: settings.noise_runs,
    sandbox: settings.sandbox,
    mode: settings.mode,
    scope: settings.scope,
    filesBeside: settings.files_beside,
    network: settings.network,
    caches: settings.caches,
    fileChoices: settings.file_choices,
    era: settings.era ?? '',
    rehearses: settings.rehearsal !== null,
    rehearsalRows: String(settings.rehearsal?.rows ?? SAMPLE_ROWS),
    rulesSeconds: settings.rules_seconds,
    environment: settings.environment,
    askAbove: settings.ask_above,
    packages: settings.packages,
    resources: settings.resources,
    fixers: settings.fixers,
    distance: settings.distance,
    targetKind: settings.target_kind,
    readsScore: settings.score_reading !== null,
    scoreCell: settings.score_reading?.cell_id ?? null,
    scorePattern: settings.score_reading?.pattern ?? '{}',
    scoreWhich: settings.score_reading?.which ?? 'last'
  };
}

/** Check a form field by field. */
export function checkDraft(
  draft: IDraft,
  trans: TranslationBundle
): ICheckedDraft {
  const errors: ICheckedDraft['errors'] = {};
  const target = draft.targetScore.trim()
    ? readNumber(draft.targetScore)
    : null;
  if (target !== null && Number.isNaN(target)) {
    errors.targetScore = trans.__(
      'The target score must be a number, for example 0.8123.'
    );
  }
  const threshold = readNumber(draft.threshold);
  if (!(threshold > 0 && threshold <= 1000)) {
    errors.threshold = trans.__(
      'The threshold must be more than 0 and at most 1000 percent.'
    );
  }
  const minutes = readNumber(draft.timeLimit);
  if (!(minutes > 0 && minutes <= 7 * 24 * 60)) {
    errors.timeLimit = trans.__(
      'The time limit must be more than 0 minutes and at most a week (10080).'
    );
  }
  const fixes = readNumber(draft.maxFixes);
  if (!(Number.isInteger(fixes) && fixes >= 0 && fixes <= 1000)) {
    errors.maxFixes = trans.__(
      'The number of fixes must be a whole number from 0 to 1000.'
    );
  }
  const era = draft.era.trim();
  if (era && !ERA.test(era)) {
    errors.era = trans.__(
      'The era must be a year such as 2018, or versions such as "pandas 0.23, sklearn 0.19".'
    );
  }
  const rows = readNumber(draft.rehearsalRows);
  if (
    draft.rehearses &&
    !(Number.isInteger(rows) && rows >= 20 && rows <= 1e6)
  ) {
    errors.rehearsalRows = trans.__(
      'The rows of a sample must be a whole number from 20 to 1000000.'
    );
  }
  if (draft.readsScore && draft.scorePattern.split('{}').length !== 2) {
    errors.scorePattern = trans.__(
      'The pattern needs {} once, where the number stands, for example "Validation AUC: {}".'
    );
  }
  const budget = checkBudget(draft, errors, readNumber, trans);
  if (Object.keys(errors).length > 0) {
    return { settings: null, errors };
  }
  return {
    settings: {
      ...draft.settings,
      competition: draft.competition,
      target_score: target,
      threshold: tidy(threshold / 100),
      time_limit: tidy(minutes * 60),
      // The panel shows the limit and offers a longer one by its button.
      extend_time_limit: false,
      max_fixes: fixes,
      ...budget,
      measure_noise: draft.measureNoise,
      noise_runs: draft.noiseRuns,
      sandbox: draft.sandbox,
      mode: draft.mode,
      scope: draft.scope,
      files_beside: draft.filesBeside,
      network: draft.network,
      caches: draft.caches,
      file_choices: draft.fileChoices,
      era: era || null,
      rehearsal: draft.rehearses
        ? { rows, time_limit: draft.settings.rehearsal?.time_limit ?? null }
        : null,
      rules_seconds: draft.rulesSeconds,
      environment: draft.environment,
      ask_above: draft.askAbove,
      packages: draft.packages,
      resources: draft.resources,
      fixers: draft.fixers,
      distance: draft.distance,
      target_kind: draft.targetKind,
      score_reading: draft.readsScore
        ? {
            cell_id: draft.scoreCell,
            pattern: draft.scorePattern,
            which: draft.scoreWhich
          }
        : null
    },
    errors
  };
}

/** Parse a typed number; a decimal comma is allowed, anything else is NaN. */
export function readNumber(text: string): number {
  const plain = text.trim().replace(/^([+-]?\d*),(\d+)$/, '$1.$2');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) {
    return NaN;
  }
  const value = Number(plain);
  return Number.isFinite(value) ? value : NaN;
}

/** Remove the noise of binary fractions: 0.07 * 100 is 7. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** Return whether two settings differ. */
export function differ(
  one: SessionSettings,
  other: SessionSettings | undefined
): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
