// Made by `jlpm generate:types` from the schema of the server part. Do not edit.

/**
 * The three kinds of fixes (paper, section 3.1).
 */
export type FixType =
  'runtime-reduction' | 'error-repair' | 'score-calibration';
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
 * Who decides between two runs.
 */
export type Mode = 'step' | 'auto';
/**
 * The metrics a competition can be scored by.
 */
export type Metric =
  | 'accuracy'
  | 'roc_auc'
  | 'log_loss'
  | 'rmse'
  | 'rmsle'
  | 'mae'
  | 'macro_f1'
  | 'micro_f1'
  | 'quadratic_weighted_kappa';
/**
 * What became of a proposed edit; every edit ends in one of the last four.
 */
export type EditState =
  'pending' | 'accepted' | 'rejected' | 'stale' | 'failed';
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
 * How grave an integrity note is.
 */
export type IntegritySeverity = 'blocker' | 'warning';
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
  valid: boolean;
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
  id: string;
  kind: EditKind;
  /**
   * Release note or documentation page that speaks for it.
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
  target_score: number | null;
  threshold: number;
  /**
   * Seconds of wall-clock time for the notebook.
   */
  time_limit: number;
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
 * Which competition the notebook's paths speak of.
 */
export interface DetectAnswer {
  competition: string | null;
  reason: string;
}
/**
 * Body of `POST /detect`.
 */
export interface DetectRequest {
  notebook: Notebook;
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
  higher_is_better: boolean;
  metric: Metric | null;
  output_status: OutputStatus;
  /**
   * Why there is no score, as a sentence.
   */
  reason: string;
  /**
   * The reproduced score s_r.
   */
  score: number | null;
  /**
   * The CSV that was graded, relative to the working directory.
   */
  submission: string | null;
  /**
   * The target score s_t.
   */
  target: number | null;
  /**
   * The replication threshold tau.
   */
  threshold: number;
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
  output_tokens: number;
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
