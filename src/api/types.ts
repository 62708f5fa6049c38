// Made by `jlpm generate:types` from the schema of the server part. Do not edit.

/**
 * The three kinds of fixes (paper, section 3.1), and the one that needs no run.
 */
export type FixType =
  'runtime-reduction' | 'error-repair' | 'score-calibration' | 'before-run';
/**
 * Who can propose fixes.
 */
export type FixerName = 'rules' | 'llm';
/**
 * The three kinds of cells that nbformat 4 knows.
 */
export type CellType = 'code' | 'markdown' | 'raw';
/**
 * How much of the notebook a fixer may look at and change.
 */
export type FixScope = 'file' | 'cell';
/**
 * How a call of a model ended.
 */
export type CallEnding = 'answered' | 'broken' | 'failed' | 'cancelled';
/**
 * What an edit does to a cell.
 */
export type EditKind = 'modify' | 'insert' | 'delete';
/**
 * What an edit means to the experiment.
 */
export type Meaning =
  | 'rename'
  | 'default-pinned'
  | 'behaviour-restored'
  | 'path'
  | 'display'
  | 'speed'
  | 'experiment'
  | 'other';
/**
 * How one code cell ended.
 */
export type CellStatus = 'ok' | 'error' | 'unfinished' | 'not-run';
/**
 * Which distance the replication threshold is put on.
 */
export type DistanceMeasure = 'target' | 'floor';
/**
 * Who decides between two runs.
 */
export type Mode = 'step' | 'auto';
/**
 * Which of several scores in a cell's output counts.
 */
export type Which = 'last' | 'best';
/**
 * Where a score comes from; scores of different kinds are not compared unasked.
 */
export type ScoreKind = 'graded' | 'printed' | 'typed';
/**
 * The metrics a competition can be scored by; docs/competitions.md says what each is.
 */
export type Metric =
  | 'accuracy'
  | 'balanced_accuracy'
  | 'classification_error'
  | 'macro_f1'
  | 'micro_f1'
  | 'weighted_f1'
  | 'mcc'
  | 'quadratic_weighted_kappa'
  | 'roc_auc'
  | 'gini'
  | 'average_precision'
  | 'log_loss'
  | 'brier'
  | 'probabilistic_f'
  | 'kl_divergence'
  | 'label_ranking_average_precision'
  | 'weighted_roc_auc'
  | 'unintended_bias_auc'
  | 'fracture_log_loss'
  | 'rmse'
  | 'mse'
  | 'rmsle'
  | 'rmspe'
  | 'mae'
  | 'median_absolute_error'
  | 'mape'
  | 'smape'
  | 'r2'
  | 'pearson'
  | 'spearman'
  | 'concordance'
  | 'group_log_mae'
  | 'laplace_log_likelihood'
  | 'angular_error'
  | 'haversine_error'
  | 'map_at_k'
  | 'ndcg_at_k'
  | 'tag_f1'
  | 'word_jaccard'
  | 'edit_distance'
  | 'character_error_rate'
  | 'word_error_rate'
  | 'sequence_error_rate'
  | 'order_kendall_tau'
  | 'mask_dice'
  | 'mask_global_dice'
  | 'mask_iou'
  | 'mask_f_beta'
  | 'mask_iou_precision'
  | 'mask_dice_hausdorff'
  | 'box_voc_map'
  | 'box_coco_map'
  | 'box_3d_map'
  | 'point_f1';
/**
 * How the held-out rows are chosen.
 */
export type SplitKind = 'random' | 'stratified' | 'group' | 'time';
/**
 * What is predicted.
 */
export type Task = 'binary classification' | 'classification' | 'regression';
/**
 * What became of a proposed edit; every edit ends in one of the last four.
 */
export type EditState =
  'pending' | 'accepted' | 'rejected' | 'stale' | 'failed';
/**
 * Where a suggestion for the target score comes from.
 */
export type TargetSource = 'metadata' | 'title' | 'kaggle' | 'markdown';
/**
 * The paper's execution status (Table 1).
 */
export type ExecutionStatus = 'error-free' | 'error' | 'timeout';
/**
 * What an error is to the notebook.
 */
export type ErrorKind = 'root' | 'cascade' | 'harmless';
/**
 * The paper's outcomes of a notebook (Tables 1 and 3).
 */
export type Outcome =
  | 'error-free-reproducible'
  | 'error-reproducible'
  | 'error-free-non-reproducible'
  | 'error-non-reproducible'
  | 'failed';
/**
 * The paper's output status (Table 1), with the invalid CSV told apart.
 */
export type OutputStatus = 'with-csv' | 'without-csv' | 'invalid-csv';
/**
 * How a run came to its end.
 */
export type Ending =
  | 'completed'
  | 'timed-out'
  | 'kernel-died'
  | 'out-of-memory'
  | 'disk-full'
  | 'cancelled';
/**
 * What the floor is the score of.
 */
export type FloorKind = 'sample-submission' | 'constant-prediction';
/**
 * What a change of a library does to a notebook.
 */
export type Impact = 'stops' | 'result' | 'default' | 'display';
/**
 * How grave an integrity note is.
 */
export type IntegritySeverity = 'blocker' | 'warning';
/**
 * What a run can decide.
 */
export type RunKind = 'clean' | 'resumed' | 'rehearsal';
export type JsonValue = unknown;
/**
 * Where a session stands.
 */
export type Phase =
  | 'ready'
  | 'preparing'
  | 'running'
  | 'grading'
  | 'fixing'
  | 'reviewing'
  | 'finished'
  | 'cancelled'
  | 'interrupted'
  | 'failed';
/**
 * How a session came out.
 */
export type Verdict =
  'reproduced' | 'no-fix' | 'budget-spent' | 'no-progress' | 'above-target';

/**
 * Body of `POST /sessions/{id}/fixes`; what is left out is the diagnosis' or the settings'.
 */
export interface AskFix {
  fix_type?: FixType | null;
  fixers?: FixerName[] | null;
  /**
   * The notebook as it is now, where it is no longer the one that ran.
   */
  notebook?: Notebook | null;
  scope?: FixScope | null;
}
/**
 * The sources of a notebook, in order.
 */
export interface Notebook {
  cells: Cell[];
  /**
   * Language of the notebook's kernel, lower case; Python's other names are `python` too.
   */
  language: string;
}
/**
 * One cell of a notebook.
 */
export interface Cell {
  /**
   * Unique in the notebook; edits name cells by it.
   */
  id: string;
  source: string;
  type: CellType;
}
/**
 * A CSV of the run that was looked at as a submission.
 */
export interface Candidate {
  /**
   * What was overlooked in a valid one, e.g. columns nobody asked for.
   */
  note: string;
  path: string;
  /**
   * Why it is no valid submission, as a sentence.
   */
  reason: string;
  score: number | null;
  traps: Trap[];
  valid: boolean;
}
/**
 * A peculiarity of the grader that decided about a score.
 */
export interface Trap {
  /**
   * The score without it, where there is one.
   */
  corrected: number | null;
  /**
   * A sentence.
   */
  what: string;
}
/**
 * One edit of one cell, made for one state of that cell.
 */
export interface CellEdit {
  /**
   * For an insertion: id of the cell it goes behind; None puts it first.
   */
  after: string | null;
  /**
   * SHA-256 of `base_source`, hex; empty for an insertion.
   */
  base_hash: string;
  /**
   * Source the edit was made for; empty for an insertion.
   */
  base_source: string;
  /**
   * The cell concerned; for an insertion the id the new cell will have.
   */
  cell_id: string;
  cell_type: CellType;
  /**
   * All changes it answers.
   */
  changes: KnownChange[];
  id: string;
  kind: EditKind;
  /**
   * Release note or documentation page that speaks for it, the gravest change's of several.
   */
  link: string;
  meaning: Meaning;
  /**
   * Empty for a deletion.
   */
  new_source: string;
  reason: string;
  /**
   * Ids of the rules that made it.
   */
  rules: string[];
}
/**
 * A library's change that an edit answers, with the page that documents it.
 */
export interface KnownChange {
  link: string;
  /**
   * Library and version: `pandas 2.0`.
   */
  name: string;
}
/**
 * An error a cell raised or merely showed.
 */
export interface CellError {
  cell_id: string;
  ename: string;
  evalue: string;
  facts: LiveFact[];
  /**
   * Position of the cell in the notebook, from 0 (Markdown cells count).
   */
  index: number;
  /**
   * Line in the cell's source (from 1) where the error came up, where it can be told.
   */
  line: number | null;
  /**
   * False: an `error` output was shown while the cell itself ended well.
   */
  raised: boolean;
  /**
   * Lines as the kernel sent them, ANSI colours included, cut to a bounded size.
   */
  traceback: string[];
}
/**
 * One fact the living kernel told about a failure, e.g. `type of the object`.
 */
export interface LiveFact {
  name: string;
  value: string;
}
/**
 * One code cell's run.
 */
export interface CellRun {
  cell_id: string;
  index: number;
  /**
   * Wall-clock time of the cell.
   */
  seconds: number;
  status: CellStatus;
  /**
   * Warnings it printed on stderr (`SomethingWarning: …` lines), each once.
   */
  warnings: string[];
}
/**
 * Body of `PATCH /sessions/{id}`.
 */
export interface ChangeSettings {
  settings: SessionSettings;
}
/**
 * What the user chose; every field has the paper's default.
 */
export interface SessionSettings {
  /**
   * Slug; None while unknown: then the notebook is only run and its errors repaired.
   */
  competition: string | null;
  distance: DistanceMeasure;
  /**
   * When the notebook was written, where the user knows: a year (`2018`), or versions
   * (`pandas 0.23, sklearn 0.19`). None: it is told from the notebook.
   */
  era: string | null;
  /**
   * In this order; the LLM is left out where none is configured.
   */
  fixers: FixerName[];
  max_fixes: number;
  mode: Mode;
  /**
   * None: the best one this machine has.
   */
  sandbox: string | null;
  scope: FixScope;
  /**
   * Where a run without a graded submission prints its score; None: nowhere.
   */
  score_reading: ScoreReading | null;
  target_kind: ScoreKind;
  target_score: number | null;
  threshold: number;
  /**
   * Seconds of wall-clock time for the notebook.
   */
  time_limit: number;
}
/**
 * How a score is read from what a run printed.
 */
export interface ScoreReading {
  /**
   * The cell; None: all code cells.
   */
  cell_id: string | null;
  /**
   * The text around the number, with `{}` in its place, e.g. `Validation AUC: {}`.
   */
  pattern: string;
  which: Which;
}
/**
 * What labelled data seems to be; every guess can be changed before anything is written.
 */
export interface CompetitionGuess {
  columns: string[];
  directory: string;
  /**
   * The CSVs that could be the labelled data.
   */
  files: string[];
  /**
   * How its folder below the data root would be called.
   */
  id: string;
  /**
   * None: no column names a row, and one is added.
   */
  id_column: string | null;
  /**
   * Those that fit, the likeliest first.
   */
  metrics: Metric[];
  name: string;
  sample: string | null;
  split: SplitKind;
  target_columns: string[];
  task: Task;
  test: string | null;
  train: string;
}
/**
 * What the panel shows of a competition.
 */
export interface CompetitionInfo {
  higher_is_better: boolean;
  id: string;
  metric: Metric;
  name: string;
  target_columns: string[];
}
/**
 * Body of `POST /sessions`.
 */
export interface CreateSession {
  notebook: Notebook;
  path: string;
  settings?: SessionSettings;
  traces?: Traces;
}
/**
 * What a notebook's file tells of its time beside the sources.
 */
export interface Traces {
  /**
   * Dates in the metadata, ISO 8601 (Kaggle's own and others').
   *
   * @maxItems 50
   */
  dates: string[];
  /**
   * Name of its kernel (`metadata.kernelspec.name`).
   */
  kernel: string;
  /**
   * The beginning of the text of its outputs.
   */
  outputs: string;
  /**
   * Version of the kernel that wrote it last (`metadata.language_info.version`).
   */
  python: string;
}
/**
 * A CSV (possibly compressed) the run left below its working directory.
 */
export interface CsvFile {
  /**
   * Relative to the working directory, `/` as separator.
   */
  path: string;
  /**
   * Bytes.
   */
  size: number;
}
/**
 * Body of `POST /sessions/{id}/reviews/{proposal_id}/decisions`.
 */
export interface Decide {
  /**
   * By edit id.
   */
  decisions: {
    [k: string]: Decision;
  };
  /**
   * By edit id: SHA-256 (hex, UTF-8) of the cell as it is in the document right now. Needed
   * for every `accepted` modification or deletion.
   */
  source_hashes?: {
    [k: string]: string;
  };
}
/**
 * The user's word on one edit.
 */
export interface Decision {
  /**
   * Only some of its hunks were accepted.
   */
  partial: boolean;
  state: EditState;
}
/**
 * Which competition the notebook's paths speak of, and which scores its texts.
 */
export interface DetectAnswer {
  competition: string | null;
  reason: string;
  /**
   * The surest first; none is taken without the user's word.
   */
  targets: TargetSuggestion[];
}
/**
 * A score the notebook speaks of; the user decides whether it is the target.
 */
export interface TargetSuggestion {
  cell_id: string | null;
  /**
   * The line it was found in.
   */
  quote: string;
  score: number;
  source: TargetSource;
}
/**
 * Body of `POST /detect`.
 */
export interface DetectRequest {
  notebook: Notebook;
  /**
   * Of the notebook; its name may tell a score, and Kaggle's file beside it more.
   */
  path: string;
}
/**
 * Outcome, findings and the fix that is due.
 */
export interface Diagnosis {
  execution_status: ExecutionStatus;
  /**
   * In notebook order: root errors, their cascades, harmless ones.
   */
  findings: Finding[];
  /**
   * None when the notebook is reproducible.
   */
  fix_type: FixType | null;
  outcome: Outcome;
  output_status: OutputStatus;
  /**
   * One sentence for the status line.
   */
  summary: string;
}
/**
 * An error with its meaning.
 */
export interface Finding {
  /**
   * For a cascade: id of the cell whose own failure it follows from.
   */
  caused_by: string | null;
  error: CellError;
  /**
   * What is known of this error, in a sentence (which library change, since when).
   */
  explanation: string;
  kind: ErrorKind;
  /**
   * Where that is documented.
   */
  link: string;
}
/**
 * What the kernel runs on: asked from the kernel, never taken from the notebook.
 */
export interface Environment {
  /**
   * Version by import name (`sklearn`, not `scikit-learn`) of what the notebook imports.
   */
  packages: {
    [k: string]: string;
  };
  python: string;
}
/**
 * When a notebook was written, as far as that can be told, and by what.
 */
export interface Era {
  /**
   * The user's own word, which goes before all evidence.
   */
  chosen: string;
  evidence: Evidence[];
  first_year: number | null;
  last_year: number | null;
  libraries: LibraryEra[];
  /**
   * In words: `pandas 0.20–0.25, sklearn 0.18–0.19 (2017–2018)`; empty where nothing is known.
   */
  summary: string;
  /**
   * Import names of the libraries the notebook uses, of those whose releases are known.
   */
  used: string[];
}
/**
 * One thing that tells of the era: it bounds a library's version, or the time.
 */
export interface Evidence {
  /**
   * The library was this version or newer.
   */
  at_least: string;
  /**
   * The library was older than this version.
   */
  below: string;
  cell_id: string | null;
  /**
   * False: gives way to evidence that contradicts it.
   */
  certain: boolean;
  /**
   * Import name, for a bound on its version.
   */
  library: string;
  /**
   * Not written before this month (`2017-05`).
   */
  since: string;
  /**
   * What was seen, as a sentence.
   */
  text: string;
  /**
   * Not written after this month.
   */
  until: string;
}
/**
 * The versions of a library that a notebook may have been written for.
 */
export interface LibraryEra {
  /**
   * The oldest minor version that fits (`0.20`), empty where nothing bounds it.
   */
  first: string;
  /**
   * The newest one that fits, empty where nothing bounds it.
   */
  last: string;
  library: string;
  /**
   * At least this version, by evidence that is certain.
   */
  surely: string;
  /**
   * In words: `pandas 0.20–0.25`, `pandas before 1.0`.
   */
  text: string;
}
/**
 * Body of every 4xx and 5xx.
 */
export interface ErrorAnswer {
  cell_id: string | null;
  /**
   * Stable, for programs.
   */
  code: string;
  /**
   * A sentence, for people.
   */
  message: string;
}
/**
 * All calls of a model that one proposal took, repeated ones included.
 */
export interface Exchange {
  calls: ModelCall[];
  /**
   * The proposal's; where none came of it, one of its own.
   */
  id: string;
}
/**
 * One request to a model as it went out, and what came of it.
 */
export interface ModelCall {
  api: 'chat' | 'responses';
  ending: CallEnding;
  host: string;
  /**
   * All that was sent, secrets masked.
   */
  messages: Message[];
  model: string;
  /**
   * Why it did not end with an answer, in a sentence.
   */
  remark: string;
  /**
   * What came, as far as it came.
   */
  reply: string;
  seconds: number;
  started_at: string;
  usage: Usage;
}
/**
 * One message of a conversation with a model.
 */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  text: string;
}
/**
 * What a fix cost.
 */
export interface Usage {
  cached_input_tokens: number;
  calls: number;
  /**
   * None where the price of the model is not known.
   */
  cost_usd: number | null;
  /**
   * The provider reported no usage: about four characters a token.
   */
  estimated: boolean;
  /**
   * All input tokens, cached ones included.
   */
  input_tokens: number;
  /**
   * All output tokens, those of reasoning included.
   */
  output_tokens: number;
  reasoning_tokens: number;
}
/**
 * Answer of `GET /sessions/{id}/exchanges`, oldest first.
 */
export interface ExchangeList {
  exchanges: ExchangeSummary[];
}
/**
 * An exchange in a list.
 */
export interface ExchangeSummary {
  calls: number;
  id: string;
  /**
   * Whether a proposal came of it; its id is the exchange's.
   */
  proposal: boolean;
  started_at: string;
}
/**
 * One run of the whole notebook in a fresh kernel.
 */
export interface Execution {
  cells: CellRun[];
  csv_files: CsvFile[];
  ending: Ending;
  environment: Environment;
  errors: CellError[];
  /**
   * The container image and its id, e.g. `python:3.11 (sha256:0123456789ab)`; empty without.
   */
  image: string;
  /**
   * A sentence on the ending where it was not `completed`.
   */
  message: string;
  pip_installs: PipInstall[];
  /**
   * What was otherwise than asked for, a sentence each: less memory, for example.
   */
  remarks: string[];
  sandbox: string;
  /**
   * Wall-clock time of the notebook; kernel start and pip lines do not count.
   */
  seconds: number;
  status: ExecutionStatus;
  /**
   * Seconds.
   */
  time_limit: number;
}
/**
 * A `!pip install` line found in the notebook and carried out before the run.
 */
export interface PipInstall {
  cell_id: string;
  command: string;
  /**
   * What was installed, or pip's last words when it failed.
   */
  message: string;
  ok: boolean;
}
/**
 * One change of a library that concerns one cell.
 */
export interface Foreseen {
  cell_id: string;
  /**
   * False: it depends on the data, or on the version the notebook was written for.
   */
  certain: boolean;
  /**
   * Whether there is an automatic fix for it.
   */
  fixable: boolean;
  impact: Impact;
  library: string;
  link: string;
  /**
   * Whether that fix is part of the patch that can be proposed before the first run.
   */
  proposed: boolean;
  replacement: string;
  /**
   * Id of the entry in the knowledge of breaking changes.
   */
  rule: string;
  /**
   * Version of the library that brought the change.
   */
  since: string;
  what: string;
}
/**
 * The score of a run and its distance to the target.
 */
export interface Grade {
  /**
   * Score of the sample submission: what doing nothing is worth.
   */
  baseline: number | null;
  better_than_target: boolean;
  candidates: Candidate[];
  /**
   * |s_r - s_t| / |s_t|; the absolute difference where the target is 0.
   */
  deviation: number | null;
  deviation_is_absolute: boolean;
  /**
   * Score of a prediction without knowledge.
   */
  floor: number | null;
  /**
   * |s_r - s_t| / |s_t - floor|; None where there is no floor or the target is not above it.
   */
  floor_deviation: number | null;
  floor_kind: FloorKind;
  higher_is_better: boolean;
  measure: DistanceMeasure;
  metric: Metric | null;
  output_status: OutputStatus;
  /**
   * Why there is no score, or none that is compared, as a sentence.
   */
  reason: string;
  /**
   * The reproduced score s_r.
   */
  score: number | null;
  score_kind: ScoreKind;
  /**
   * The CSV that was graded, relative to the working directory.
   */
  submission: string | null;
  /**
   * The target score s_t.
   */
  target: number | null;
  target_kind: ScoreKind;
  /**
   * The replication threshold tau.
   */
  threshold: number;
  /**
   * Those of the CSV that was graded.
   */
  traps: Trap[];
  within_threshold: boolean;
}
/**
 * Something a patch does that a reviewer must know.
 */
export interface IntegrityNote {
  cell_id: string | null;
  code: string;
  message: string;
  severity: IntegritySeverity;
}
/**
 * One execution with its feedback and the fixes proposed for it.
 */
export interface Iteration {
  diagnosis: Diagnosis | null;
  execution: Execution | null;
  grade: Grade | null;
  kind: RunKind;
  /**
   * Which notebook ran; the sources are kept beside the log.
   */
  notebook_hash: string;
  /**
   * From 1.
   */
  number: number;
  reviews: Review[];
  spent: Usage;
  started_at: string;
  usage: Usage;
}
/**
 * A proposal and what was decided on its edits.
 */
export interface Review {
  /**
   * Went into the scratch copy of an auto-mode session; the user's document knows nothing.
   */
  adopted: boolean;
  /**
   * By edit id; an edit that is missing is pending.
   */
  decisions: {
    [k: string]: Decision;
  };
  /**
   * The whole difference of an auto-mode session.
   */
  final: boolean;
  proposal: Proposal;
}
/**
 * A plan and its patch, staged for review; no document has changed yet.
 */
export interface Proposal {
  edits: CellEdit[];
  fix_type: FixType;
  fixer: FixerName;
  id: string;
  /**
   * Which model, for the LLM.
   */
  model: string;
  notes: IntegrityNote[];
  plan: string[];
  /**
   * What the fixer could not do and why (a rule that was not sure, say).
   */
  remarks: string[];
  scope: FixScope;
  usage: Usage;
}
/**
 * Whether a language model is configured; never its key.
 */
export interface LlmInfo {
  configured: boolean;
  model: string;
  /**
   * Where none is: what to set.
   */
  reason: string;
}
/**
 * Answer of `GET /sessions/{id}/events`.
 */
export interface Log {
  events: LogEntry[];
}
/**
 * One event of a session's log.
 */
export interface LogEntry {
  at: string;
  data: {
    [k: string]: JsonValue;
  };
  kind: string;
  seq: number;
}
/**
 * Body of `POST /competitions/look`: what lies there, and what does it seem to be?
 */
export interface LookAtData {
  /**
   * Relative to the server's root; empty is the root itself.
   */
  directory: string;
  /**
   * None: it is guessed.
   */
  id_column: string | null;
  /**
   * Empty: they are guessed.
   */
  target_columns: string[];
  /**
   * File name of the labelled data; None: it is guessed.
   */
  train: string | null;
}
/**
 * Body of `POST /competitions`.
 */
export interface MakeCompetition {
  /**
   * Where the labelled data lies, relative to the server's root.
   */
  directory: string;
  /**
   * How its folder below the data root is called.
   */
  id: string;
  /**
   * None: one is added.
   */
  id_column: string | null;
  metric: Metric;
  name: string;
  /**
   * Write files that are there already anew.
   */
  overwrite: boolean;
  /**
   * The same seed gives the same rows.
   */
  seed: number;
  /**
   * Of the rows, held out as the answers.
   */
  share: number;
  split: SplitKind;
  /**
   * The group's or the time's column.
   */
  split_column: string | null;
  /**
   * @minItems 1
   */
  target_columns: [string, ...string[]];
  /**
   * Its file name.
   */
  train: string;
}
/**
 * What will break and why, cell by cell; nothing has run.
 */
export interface Preflight {
  environment: Environment;
  era: Era;
  /**
   * When and for what the notebook was written, and what it meets; empty where unknown.
   */
  headline: string;
  /**
   * In notebook order.
   */
  items: Foreseen[];
  notes: PreflightNote[];
  /**
   * How many things may fail or change results.
   */
  possible: number;
  sandbox: string;
  /**
   * How many things will certainly change results without an error.
   */
  silent: number;
  /**
   * How many things will certainly fail.
   */
  stops: number;
}
/**
 * Something about a cell that is worth knowing and is no known change.
 */
export interface PreflightNote {
  cell_id: string | null;
  text: string;
}
/**
 * Body of `POST /preflight`: what will break? Nothing runs and nothing is kept.
 */
export interface PreflightRequest {
  /**
   * The user's word on when it was written, as in the settings.
   */
  era: string | null;
  notebook: Notebook;
  /**
   * Where it would run; None is the best isolated one.
   */
  sandbox: string | null;
  traces: Traces;
}
/**
 * What the server is doing right now.
 */
export interface Progress {
  cell_id: string | null;
  /**
   * When the first cell started: the clock of the time limit.
   */
  cells_started_at: string | null;
  /**
   * Errors of the run so far, as they came up.
   */
  errors: CellError[];
  message: string;
  /**
   * Which code cell is at work, from 1.
   */
  ordinal: number | null;
  total: number | null;
}
/**
 * What a model would be sent for a fix; nothing has been sent.
 */
export interface PromptPreview {
  characters: number;
  /**
   * Whether a model is configured that it could be sent to.
   */
  configured: boolean;
  fix_type: FixType;
  host: string;
  /**
   * What was shortened or left out because it is too long, a sentence each.
   */
  left_out: string[];
  /**
   * Secrets that were replaced by placeholders.
   */
  masked: number;
  messages: Message[];
  /**
   * Empty where none is configured.
   */
  model: string;
  scope: FixScope;
  /**
   * About: four characters a token.
   */
  tokens: number;
}
/**
 * One sandbox and whether it can be used here.
 */
export interface SandboxInfo {
  available: boolean;
  isolated: boolean;
  name: string;
  reason: string;
}
/**
 * Answer of `GET /info`.
 */
export interface ServerInfo {
  competitions: CompetitionInfo[];
  data_root: string;
  default_sandbox: string | null;
  defaults: SessionSettings;
  llm: LlmInfo;
  /**
   * Competitions that could not be read, a sentence each.
   */
  problems: string[];
  sandboxes: SandboxInfo[];
  version: string;
}
/**
 * The whole modernization of one notebook, as of event `seq`.
 */
export interface Session {
  /**
   * Number of the best iteration so far: outcome first, then deviation, then fewest fixes.
   */
  best: number | null;
  created_at: string;
  /**
   * When it was written, told from the notebook as it was when work began; the user's own word
   * is in the settings.
   */
  era: Era | null;
  /**
   * What its file tells of its era, beside the sources.
   */
  evidence: Evidence[];
  /**
   * Number of proposals that went into the notebook; the final review does not count.
   */
  fixes: number;
  id: string;
  iterations: Iteration[];
  /**
   * One sentence on where it stands, with the next step.
   */
  message: string;
  /**
   * The notebook as it was when the session began.
   */
  notebook_hash: string;
  /**
   * Path of the notebook, relative to the server's root (or the file the CLI was given).
   */
  path: string;
  phase: Phase;
  progress: Progress | null;
  /**
   * Of fixes that were proposed before the first run; the others are with their iterations.
   */
  reviews: Review[];
  /**
   * Number of the last event of the log that is folded in here.
   */
  seq: number;
  settings: SessionSettings;
  updated_at: string;
  usage: Usage;
  verdict: Verdict | null;
}
/**
 * The event on Jupyter's bus: only that something changed, never what.
 */
export interface SessionHint {
  cell_id: string | null;
  phase: Phase;
  seq: number;
  session_id: string;
}
/**
 * Answer of `GET /sessions`, newest first.
 */
export interface SessionList {
  sessions: SessionSummary[];
}
/**
 * A session in a list.
 */
export interface SessionSummary {
  created_at: string;
  id: string;
  path: string;
  phase: Phase;
  seq: number;
  updated_at: string;
  verdict: Verdict | null;
}
/**
 * Body of `POST /sessions/{id}/runs`: run what the user sees.
 */
export interface StartRun {
  notebook: Notebook;
}
/**
 * Body of `POST /sessions/{id}/scores`: a score of the latest run, read elsewhere.
 */
export interface TypeScore {
  score: number;
}
