// Made by `jlpm generate:types` from the schema of the server part. Do not edit.

/**
 * Where a cited work, or code of it, is at hand.
 */
export type SourceKind = 'folder' | 'installed' | 'fetched';
/**
 * What a verification says.
 */
export type Answer = 'reproducible' | 'not-reproducible' | 'open';
/**
 * The three kinds of fixes (paper, section 3.1), and three that nothing broken asks for.
 */
export type FixType =
  | 'runtime-reduction'
  | 'error-repair'
  | 'score-calibration'
  | 'before-run'
  | 'improvement'
  | 'writing';
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
 * What an estimate rests on.
 */
export type Basis = 'history' | 'published';
/**
 * Where a run left a notebook: the columns of the paper's Table 4, and two more.
 */
export type State =
  | 'timeout'
  | 'error-non-reproducible'
  | 'error-free-non-reproducible'
  | 'error-reproducible'
  | 'error-free-reproducible'
  | 'failed'
  | 'not-run';
/**
 * What a part of a notebook does.
 */
export type BlockRole =
  | 'imports'
  | 'loading'
  | 'looking'
  | 'cleaning'
  | 'encoding'
  | 'features'
  | 'model'
  | 'training'
  | 'prediction'
  | 'blending'
  | 'submission'
  | 'other';
/**
 * How a call of a model ended.
 */
export type CallEnding = 'answered' | 'broken' | 'failed' | 'cancelled';
/**
 * What differs first in a cell's outputs.
 */
export type DifferenceKind =
  | 'number'
  | 'text'
  | 'length'
  | 'table-shape'
  | 'table-columns'
  | 'table-value'
  | 'error';
/**
 * How a cell's outputs compare with the saved ones, from best to worst.
 */
export type OutputMatch =
  'same' | 'close' | 'different' | 'missing' | 'failed' | 'not-compared';
/**
 * How a cell of today's run compares with the same cell in the libraries of its time.
 */
export type ContrastKind = 'fails' | 'values' | 'printed' | 'settings';
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
export type JsonValue = unknown;
/**
 * How one code cell ended.
 */
export type CellStatus = 'ok' | 'error' | 'unfinished' | 'not-run';
/**
 * Which distance the replication threshold is put on.
 */
export type DistanceMeasure = 'target' | 'floor';
/**
 * What of the notebook's folder a run is shown.
 */
export type FilesBeside = 'named' | 'folder' | 'none';
/**
 * When auto mode measures on its own, before a score is calibrated.
 */
export type NoiseWish = 'when-cheap' | 'always' | 'never';
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
 * Why an environment was chosen.
 */
export type ChoiceReason =
  | 'asked'
  | 'own-kernel'
  | 'server'
  | 'make'
  | 'made'
  | 'not-made'
  | 'nothing-to-add';
/**
 * Why a claim should be looked at beside the paper before it is used.
 */
export type Doubt =
  | 'no_metric'
  | 'no_method'
  | 'no_dataset'
  | 'from_pdf'
  | 'several_metrics'
  | 'from_model';
/**
 * Where in a paper a claim was found.
 */
export type ClaimSource = 'table' | 'sentence';
/**
 * Why a claim that a model named is refused.
 */
export type QuoteProblem =
  'not-in-paper' | 'too-short' | 'no-number' | 'ambiguous';
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
  | 'cancelled'
  | 'stopped';
/**
 * How a file beside the notebook is there for its run.
 */
export type FileAccess =
  'copy' | 'read-only' | 'too-large' | 'out-of-reach' | 'unreadable';
/**
 * Whether a run worked on a GPU.
 */
export type GpuUse = 'none' | 'unused' | 'used';
/**
 * What the floor is the score of.
 */
export type FloorKind = 'sample-submission' | 'constant-prediction';
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
 * What became of a proposed edit; every edit ends in one of the last four.
 */
export type EditState =
  'pending' | 'accepted' | 'rejected' | 'stale' | 'failed';
/**
 * How grave an integrity note is.
 */
export type IntegritySeverity = 'blocker' | 'warning';
/**
 * What the scores on the folds show of a candidate.
 */
export type Comparison = 'better' | 'undecided' | 'worse' | 'failed';
/**
 * How the held-out rows are chosen.
 */
export type SplitKind = 'random' | 'stratified' | 'group' | 'time';
/**
 * What is predicted.
 */
export type Task = 'binary classification' | 'classification' | 'regression';
/**
 * Where a suggestion for the target score comes from.
 */
export type TargetSource = 'metadata' | 'title' | 'kaggle' | 'markdown';
/**
 * How an environment was found.
 */
export type EnvironmentOrigin =
  'kernel' | 'beside' | 'conda' | 'server' | 'made' | 'named';
/**
 * Why a found environment cannot run a notebook.
 */
export type EnvironmentTrouble =
  'no-interpreter' | 'no-answer' | 'too-old' | 'no-kernel' | 'in-home';
/**
 * Why an environment could not be made or is not used.
 */
export type MakingProblem =
  | 'no-uv'
  | 'not-allowed'
  | 'no-python'
  | 'no-solution'
  | 'no-wheel'
  | 'not-found'
  | 'old-metadata'
  | 'network'
  | 'disk'
  | 'too-large'
  | 'too-long'
  | 'cancelled'
  | 'tampered'
  | 'failed';
/**
 * What is otherwise than asked for in a made environment.
 */
export type RemarkCode =
  | 'python-nearest'
  | 'python-2'
  | 'pins-dropped'
  | 'later'
  | 'date-moved'
  | 'by-table'
  | 'left-out'
  | 'from-source';
/**
 * Where it was seen that a notebook needs a package.
 */
export type RequirementSource = 'import' | 'use' | 'install-line' | 'file';
/**
 * Why a text that names a package is not taken as one.
 */
export type Refusal =
  'option' | 'path' | 'address' | 'marker' | 'unreadable' | 'too-large';
/**
 * What a change of a library does to a notebook.
 */
export type Impact = 'stops' | 'result' | 'default' | 'display';
/**
 * Who had the plan of a version.
 */
export type PlanSource = 'rules' | 'catalogue' | 'model';
/**
 * Why a proof came out as it did.
 */
export type ProofCode =
  | 'labels-matter'
  | 'labels-unused'
  | 'score-kept'
  | 'score-not-computed'
  | 'score-fell-little'
  | 'no-better-than-floor'
  | 'no-score'
  | 'follows-rows'
  | 'follows-ids'
  | 'follows-places'
  | 'all-the-same'
  | 'order-matters'
  | 'rows-alone'
  | 'rows-together'
  | 'varies'
  | 'ids-differ'
  | 'copy'
  | 'own'
  | 'cells-failed'
  | 'cells-ran'
  | 'not-possible';
/**
 * What was tried.
 */
export type ProofKind =
  'label-shuffle' | 'row-shuffle' | 'half-rows' | 'no-copy' | 'way';
/**
 * What it showed.
 */
export type ProofOutcome = 'passed' | 'failed' | 'unclear';
/**
 * How a score may come to look better than it is.
 */
export type LeakKind =
  | 'fit-on-test'
  | 'target-in-features'
  | 'target-mean'
  | 'fit-before-split'
  | 'copies-before-split'
  | 'group-split'
  | 'time-split'
  | 'trained-on-held-out'
  | 'future';
export type Iteration = CleanRun | ResumedRun | RehearsalRun;
/**
 * What the measurement says of the distance between score and target.
 */
export type NoiseAnswer = 'within-noise' | 'beyond-noise' | 'steady' | 'open';
/**
 * What came of it.
 */
export type OwnTimeEnd = 'score' | 'outputs' | 'no-score' | 'failed';
/**
 * What a paper was read from.
 */
export type PaperFormat = 'latex' | 'pdf' | 'markdown' | 'html';
/**
 * What a reader of a paper should know about how it was read.
 */
export type PaperRemarkCode =
  | 'no_tables'
  | 'pages_left_out'
  | 'pages_without_text'
  | 'missing_input'
  | 'expansion_cut'
  | 'left_out'
  | 'executes'
  | 'unsafe_member'
  | 'addresses_reader'
  | 'numbers_from_pdf';
/**
 * Whether a paper says what is required.
 */
export type Statement = 'stated' | 'cited' | 'not_stated';
/**
 * What a requirement is about.
 */
export type Topic = 'data' | 'model' | 'training' | 'evaluation';
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
 * What an experiment says of a silent change.
 */
export type Told = 'explains' | 'no-difference' | 'untold';
/**
 * How a session came out.
 */
export type Verdict =
  | 'reproduced'
  | 'within-noise'
  | 'above-target'
  | 'below-target'
  | 'target-implausible'
  | 'grader-mismatch'
  | 'needs-external-data'
  | 'non-deterministic'
  | 'cannot-run'
  | 'needs-time'
  | 'awaits-yes'
  | 'no-fix'
  | 'as-saved'
  | 'budget-spent'
  | 'not-proven'
  | 'no-progress';
/**
 * How much it takes to believe an outcome.
 */
export type VerificationKind = 'quick' | 'strict';
/**
 * How a stage came to its end.
 */
export type StageEnding =
  'done' | 'given-up' | 'rejected' | 'rounds' | 'budget';
/**
 * What is written, in this order.
 */
export type WritingStage =
  'data' | 'method' | 'experiment' | 'alignment' | 'refinement';

/**
 * An algorithm's caption and its lines.
 */
export interface Algorithm {
  caption: string;
  lines: string[];
  number: string;
  page: number | null;
  section: number | null;
}
/**
 * A cited work that the paper builds on.
 */
export interface Ancestor {
  /**
   * Where arXiv has its sources; empty where the reference does not say.
   */
  address: string;
  /**
   * Of the reference.
   */
  key: string;
  /**
   * The telling ones first.
   */
  mentions: Mention[];
  /**
   * Items of the checklist that are taken from it.
   */
  requirements: string[];
  /**
   * Where it is at hand.
   */
  sources: CitedSource[];
  /**
   * What it states for those items.
   */
  taken: TakenValue[];
  /**
   * Title, or the reference as it is printed.
   */
  text: string;
  /**
   * How much the paper's words say of it; comparable within one paper.
   */
  weight: number;
}
/**
 * A sentence of the paper that cites a work.
 */
export interface Mention {
  /**
   * It says that something is done as there.
   */
  follows: boolean;
  place: Place;
  quote: string;
}
/**
 * Where in a paper something stands; indices count from 0 in the paper's own lists.
 */
export interface Place {
  column: number | null;
  end: number | null;
  /**
   * Counted from 1; None where the format has no pages.
   */
  page: number | null;
  row: number | null;
  section: number | null;
  /**
   * First character in the section's text.
   */
  start: number | null;
  table: number | null;
}
/**
 * A cited work that is at hand, or code that names it.
 */
export interface CitedSource {
  /**
   * The beginning of the code.
   */
  excerpt: string;
  kind: SourceKind;
  /**
   * Of the file, the class or function, or its address.
   */
  name: string;
  /**
   * Of the paper that the file is.
   */
  title: string;
  /**
   * Of the installed library, with its name.
   */
  version: string;
}
/**
 * What a cited work states for a requirement that the paper takes from it.
 */
export interface TakenValue {
  quote: string;
  requirement: string;
  /**
   * Name of the file.
   */
  source: string;
  value: string;
  /**
   * Its place in the cited work, in words.
   */
  where: string;
}
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
 * A notebook kept as it is: a kernel of its own time in Jupyter's menu.
 */
export interface Backport {
  /**
   * Id of the environment made for it, which keeps the lock.
   */
  environment: string;
  /**
   * Name of the kernel.
   */
  kernel: string;
  /**
   * SHA-256 of the lock.
   */
  lock: string;
  /**
   * What the menu shows.
   */
  title: string;
}
/**
 * A batch's folder.
 *
 * Attributes:
 *     path: The folder, below the server's root.
 *     what: The folder, glob or manifest that it was started with.
 *     arms: The ways in which each notebook is worked on.
 *     rows: What is new since the stamp that was asked with; all where there was none.
 *     done: How many results there are in all.
 *     unreadable: How many of these cannot be read.
 *     stamp: To ask with next time.
 *     standing: Where it stood last; None where its command never said so.
 *     report: The report's page below the server's root; None before it is written.
 */
export interface BatchOverview {
  arms: string[];
  done: number;
  path: string;
  report: string | null;
  rows: BatchRow[];
  stamp: number;
  standing: BatchStanding | null;
  unreadable: number;
  what: string;
}
/**
 * What came of one notebook in one arm.
 *
 * Attributes:
 *     key: Names its files in the batch's folder.
 *     name: What the notebook is called in the batch.
 *     path: Where it is below the server's root; None where it lies elsewhere.
 *     arm: The way in which it was worked on.
 *     repetition: From 1.
 *     status: How the work ended: `done`, `refused`, `set-aside`.
 *     has_target: Whether there was a score to reach.
 *     first: Where its first run left it.
 *     last: Where its best run left it.
 *     runs: How many runs there were.
 *     fixes: How many proposals went into it.
 *     by_model: Whether a language model wrote one of them, or taught a rule that did.
 *     score: Of the best run; None where there is none.
 *     deviation: Of that score from the target, as a share of it.
 *     seconds: From the first file read to the last written.
 *     cost: What the model cost in dollars; None where no price is known.
 *     changed: Whether the batch keeps a changed notebook to review.
 *     message: Where it stands, or why nothing was done.
 */
export interface BatchRow {
  arm: string;
  by_model: boolean;
  changed: boolean;
  cost: number | null;
  deviation: number | null;
  first: State;
  fixes: number;
  has_target: boolean;
  key: string;
  last: State;
  message: string;
  name: string;
  path: string | null;
  repetition: number;
  runs: number;
  score: number | null;
  seconds: number;
  status: string;
}
/**
 * Where a batch stood last, as its own command said it.
 *
 * Attributes:
 *     at: When that was.
 *     line: How many are done, how fast, what is left, what it has cost.
 *     running: What is worked on, a line each.
 */
export interface BatchStanding {
  at: string;
  line: string;
  running: string[];
}
/**
 * Statements of a cell that follow each other and have one role.
 *
 * Attributes:
 *     number: Among the notebook's blocks, from 1.
 *     role: What they do.
 *     cell_id: The cell.
 *     cell: Which code cell it is, from 1.
 *     first: Their first line in the cell, from 1.
 *     last: Their last line.
 *     text: The first line itself.
 *     submitted: Whether what is submitted depends on them.
 *     corrected: A person said what their role is.
 */
export interface Block {
  cell: number;
  cell_id: string;
  corrected: boolean;
  first: number;
  last: number;
  number: number;
  role: BlockRole;
  submitted: boolean;
  text: string;
}
/**
 * Answer of `GET /sessions/{id}/blocks`: the parts of the notebook that would be improved.
 */
export interface Blocks {
  blocks: Block[];
}
/**
 * The search for the cause of a score's distance among the libraries' silent changes.
 */
export interface Calibration {
  /**
   * The smallest sets that move the score, the largest effect first.
   */
  causes: Tried[];
  /**
   * Score of the notebook run again as it is: what less than this differs does not count.
   */
  control: number | null;
  done: boolean;
  /**
   * The iteration whose score is to be explained.
   */
  iteration: number;
  /**
   * Ids of rules that are not proposed: they move nothing, or lead away from the target.
   */
  left_out: string[];
  /**
   * What was found.
   */
  message: Message[];
  notebook_hash: string;
  score: number;
  target: number;
  /**
   * Every experiment in order; the first restores all at once.
   */
  tried: Tried[];
}
/**
 * One experiment: the notebook with some old defaults and behaviours restored.
 */
export interface Tried {
  /**
   * Score of this run; None where it has none.
   */
  after: number | null;
  /**
   * Score of the notebook as it is.
   */
  before: number;
  /**
   * The libraries' changes they answer.
   */
  changes: KnownChange[];
  /**
   * Whether the score is another one, by more than the notebook's own noise.
   */
  moved: boolean;
  /**
   * Whether it is nearer to the target.
   */
  nearer: boolean;
  /**
   * Ids of the rules that restored them.
   */
  rules: string[];
  seconds: number;
  /**
   * What was restored, a sentence each.
   */
  what: string[];
  /**
   * Whether it is inside the band.
   */
  within_threshold: boolean;
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
 * One thing to tell, usually a sentence.
 */
export interface Message {
  /**
   * Stable name; `words` has its text, with the parameters in their places.
   */
  code: string;
  parameters: {
    [k: string]: number | string | Message[];
  };
}
/**
 * A CSV of the run that was looked at as a submission.
 */
export interface Candidate {
  /**
   * What was overlooked in a valid one, e.g. columns nobody asked for.
   */
  note: Message[];
  path: string;
  /**
   * Why it is no valid submission.
   */
  reason: Message[];
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
  what: Message[];
}
/**
 * One code cell's outputs compared with its saved ones.
 */
export interface CellAgreement {
  cell_id: string;
  difference: OutputDifference | null;
  match: OutputMatch;
  /**
   * Which code cell this is, from 1.
   */
  ordinal: number;
  /**
   * A hint, never a verdict: 1 for pictures that look alike, about 0.5 for unrelated ones.
   */
  picture_likeness: number | null;
}
/**
 * The first difference of a cell.
 */
export interface OutputDifference {
  /**
   * For tables: the name of the column.
   */
  column: string | null;
  fresh: string;
  kind: DifferenceKind;
  /**
   * For texts: which line of the saved text, from 1; for tables: which row, from 1.
   */
  line: number | null;
  /**
   * What had been saved there, cut to a bounded length.
   */
  saved: string;
}
/**
 * A cell that gives something else today.
 */
export interface CellContrast {
  cell_id: string;
  /**
   * For one that fails: its error.
   */
  error: string;
  kind: ContrastKind;
  /**
   * Which code cell of today's notebook this is, from 1.
   */
  ordinal: number;
  /**
   * What is printed otherwise first: `saved` is then, `fresh` is now.
   */
  output: OutputDifference | null;
  /**
   * How many more values differ.
   */
  unlisted: number;
  /**
   * What differs, at most a few.
   */
  values: ValueContrast[];
}
/**
 * One value, then and now.
 */
export interface ValueContrast {
  /**
   * Of what: `df shape`, `df['age'] mean`, `forest.n_estimators`.
   */
  name: string;
  now: string;
  then: string;
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
  /**
   * Edits of a proposal with the same name need each other: one without the others is wrong
   * code. Empty: it stands by itself.
   */
  group: string;
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
  /**
   * What each rule does; empty where no rule made it.
   */
  parts: EditPart[];
  reason: string;
  /**
   * Ids of the rules that made it.
   */
  rules: string[];
  /**
   * No run has shown its effect: none got to its cell, or to the end of it.
   */
  unseen: boolean;
}
/**
 * What one rule does in a cell: an edit may answer several changes.
 */
export interface EditPart {
  /**
   * Lines of `base_source`, from 1, where its places begin; those known.
   */
  lines: number[];
  link: string;
  /**
   * How many places it changes.
   */
  places: number;
  /**
   * The same with the reason why this cell is concerned.
   */
  reason: string;
  rule: string;
  /**
   * What changed in the library and what is written now, the same in every cell.
   */
  what: string;
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
   * Of a module that was not found: the module of the notebook's folder that imports it, where
   * one of that name lies beside it. Python 2 found it there; no package of that name is meant.
   */
  imported_beside: string;
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
 * What a run left in one code cell, as nbformat 4 has it.
 */
export interface CellOutputs {
  cell_id: string;
  execution_count: number | null;
  outputs: {
    [k: string]: JsonValue;
  }[];
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
   * Full names of the types of the globals that were others before it, `""` for one that is
   * gone: `{"df": "pandas.core.frame.DataFrame"}`. With those of the cells before it, the types of
   * all of the notebook's globals behind the cell, as the kernel itself tells them.
   */
  types: {
    [k: string]: string;
  };
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
   * The person's yes, ahead of time, to edits that change data, features, model, parameters,
   * seeds or splits.
   */
  allow_experiment_changes: boolean;
  /**
   * How many fixes auto mode asks the model for and tries at the same time.
   */
  alternatives: number;
  /**
   * Slug; None while unknown: then the notebook is only run and its errors repaired.
   */
  competition: string | null;
  distance: DistanceMeasure;
  /**
   * Which Python and packages it runs with: `server`, a kernelspec, a conda environment, a path,
   * the id of a made one, `own` (made for it) or `own-time` (of its own time). None: chosen.
   */
  environment: string | null;
  /**
   * When the notebook was written, where the user knows: a year (`2018`), or versions
   * (`pandas 0.23, sklearn 0.19`). None: it is told from the notebook.
   */
  era: string | null;
  /**
   * In auto mode, where no cell fails and no fixer can shorten the notebook: run it once more
   * with a longer limit, up to an hour. For people who named no limit.
   */
  extend_time_limit: boolean;
  /**
   * By path as the code has it, the file that is meant, where several have its name.
   */
  file_choices: {
    [k: string]: string;
  };
  files_beside: FilesBeside;
  /**
   * In this order; the LLM is left out where none is configured.
   */
  fixers: FixerName[];
  max_fixes: number;
  /**
   * How long may be worked, waiting in line not counted; None: no bound.
   */
  max_seconds: number | null;
  /**
   * Input and output tokens of all fixes together; None: no bound.
   */
  max_tokens: number | null;
  /**
   * What the model may cost; None: no bound.
   */
  max_usd: number | null;
  measure_noise: NoiseWish;
  mode: Mode;
  /**
   * The person's word that runs may reach web servers of the public network, and no others.
   */
  network: boolean;
  /**
   * How many runs a measurement of the noise takes.
   */
  noise_runs: number;
  /**
   * Distributions that the person named, to add to an environment that is made for it.
   */
  packages: string[];
  /**
   * After how many fixes in a row that bring nothing auto mode gives up.
   */
  patience: number;
  /**
   * Meet errors on a sample of the data before the whole notebook runs; None: do not.
   */
  rehearsal: RehearsalSettings | null;
  /**
   * Addresses that the person agreed to have fetched, once, for the notebook's runs.
   */
  resources: string[];
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
 * How to rehearse.
 */
export interface RehearsalSettings {
  /**
   * About how many rows of a table the sample has.
   */
  rows: number;
  /**
   * Seconds; None: a tenth of the notebook's own limit, but between 30 s and 120 s.
   */
  time_limit: number | null;
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
 * One message of a conversation with a model.
 */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  text: string;
}
/**
 * One number that a paper claims.
 *
 * Attributes of an empty text are not known; a person fills them in.
 */
export interface Claim {
  /**
   * Printed bold.
   */
  best: boolean;
  dataset: string;
  /**
   * Digits after the point as printed: what "within rounding" means.
   */
  decimals: number;
  doubts: Doubt[];
  higher_is_better: boolean | null;
  /**
   * Stable for one paper's file: the place and the number.
   */
  id: string;
  method: string;
  metric: string;
  /**
   * The paper says that the method is its own ("ours", or its name in the title).
   */
  own: boolean;
  /**
   * The number is followed by a percent sign.
   */
  percent: boolean;
  place: Place;
  /**
   * As the paper prints it.
   */
  printed: string;
  /**
   * The sentence, or the table's row.
   */
  quote: string;
  source: ClaimSource;
  /**
   * After ± or in brackets.
   */
  spread: number | null;
  value: number;
}
/**
 * What became of the claims that a model named for a paper.
 */
export interface ClaimCompletion {
  asked_at: string;
  /**
   * How many the paper's text confirms.
   */
  confirmed: number;
  model: string;
  refused: RefusedClaim[];
  unreadable: number;
  usage: Usage;
}
/**
 * A claim that a model named and the paper does not confirm.
 */
export interface RefusedClaim {
  claim: ReadClaim;
  problem: QuoteProblem;
}
/**
 * A claim as a model names it; nothing of it counts before the paper's text confirms it.
 */
export interface ReadClaim {
  dataset: string;
  method: string;
  metric: string;
  /**
   * As the paper prints it in the quote.
   */
  number: string;
  own: boolean;
  /**
   * The sentence, or the table's row with ` | ` between its cells, letter by letter.
   */
  quote: string;
}
/**
 * What a fix cost.
 */
export interface Usage {
  cached_input_tokens: number;
  calls: number;
  /**
   * Of the calls whose price is known; None where that is none.
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
   * All output tokens, reasoning ones included.
   */
  output_tokens: number;
  /**
   * The day of the price list behind `cost_usd`, the earliest of several; None: not known.
   */
  prices_as_of: string | null;
  /**
   * What the model thought to itself; 0 where the provider does not say.
   */
  reasoning_tokens: number;
  /**
   * How many of several calls have no known price and are not in `cost_usd`.
   */
  unpriced_calls: number;
}
/**
 * What a model would be sent for a paper's claims, and what that will probably cost.
 */
export interface ClaimsQuestion {
  /**
   * None where the price is not known.
   */
  cost_usd: number | null;
  host: string;
  /**
   * About: four characters a token.
   */
  input_tokens: number;
  /**
   * What is not sent because it is too long, a sentence each.
   */
  left_out: string[];
  /**
   * Secrets that were replaced by placeholders.
   */
  masked: number;
  messages: ChatMessage[];
  model: string;
  /**
   * Of an answer of usual length.
   */
  output_tokens: number;
}
/**
 * A fresh kernel, the whole notebook, all data.
 */
export interface CleanRun {
  /**
   * How its outputs compare with those saved in the notebook's file; None where none were.
   */
  agreement: OutputAgreement | null;
  /**
   * Lines added and removed against the notebook as it was when the session began.
   */
  changed_lines: number;
  /**
   * The work ended before its diagnosis: it was cancelled or interrupted, or broke down.
   */
  cut_off: boolean;
  diagnosis: Diagnosis | null;
  execution: Execution | null;
  /**
   * None until it has been graded.
   */
  grade: Grade | null;
  kind: 'clean';
  /**
   * Which notebook ran; the sources are kept beside the log.
   */
  notebook_hash: string;
  /**
   * From 1.
   */
  number: number;
  /**
   * Which proposal made the notebook; None where the user did.
   */
  origin: Origin | null;
  reviews: Review[];
  spent: Usage;
  started_at: string;
  usage: Usage;
}
/**
 * A whole run compared with the outputs saved in the notebook's file.
 */
export interface OutputAgreement {
  /**
   * How many of them gave the same, or numbers within the threshold.
   */
  agreeing: number;
  /**
   * In notebook order; cells without saved outputs are left out.
   */
  cells: CellAgreement[];
  /**
   * How many cells could be compared.
   */
  compared: number;
}
/**
 * What a run on all data means: its errors, and the outcome by its score.
 */
export interface Diagnosis {
  execution_status: ExecutionStatus;
  /**
   * In notebook order: root errors, their cascades, harmless ones.
   */
  findings: Finding[];
  /**
   * None where none is due.
   */
  fix_type: FixType | null;
  outcome: Outcome;
  output_status: OutputStatus;
  /**
   * What it comes to, for the status line.
   */
  summary: Message[];
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
 * One run of the whole notebook in a fresh kernel.
 */
export interface Execution {
  /**
   * Seconds of those that were spent before the run stopped and went on.
   */
  carried: number;
  cells: CellRun[];
  csv_files: CsvFile[];
  ending: Ending;
  environment: Environment;
  errors: CellError[];
  /**
   * What of the notebook's folder its run was shown, or could not be.
   */
  files_beside: ShownFile[];
  /**
   * The container image and its id, e.g. `python:3.11 (sha256:0123456789ab)`; empty without.
   */
  image: string;
  /**
   * On the ending, where it was not `completed`.
   */
  message: Message[];
  /**
   * The servers it reached, where a person allowed it the network; None: it had none.
   */
  network: ReachedServer[] | null;
  pip_installs: PipInstall[];
  /**
   * Where the time went; None where the kernel did not tell.
   */
  profile: Profile | null;
  /**
   * What was otherwise than asked for: less memory, for example.
   */
  remarks: Message[];
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
 * A path beside the notebook that its code names and that exists.
 */
export interface ShownFile {
  access: FileAccess;
  files: number;
  /**
   * As the code names it (a file, a folder or a pattern), relative to the notebook's folder.
   */
  path: string;
  /**
   * Bytes; 0 for a mounted folder, whose files are not counted.
   */
  size: number;
}
/**
 * A server that a run with a network asked for.
 */
export interface ReachedServer {
  name: string;
  /**
   * It was not let through: it is not of the public network, or at no web port.
   */
  refused: boolean;
  /**
   * Bytes that passed, in both directions.
   */
  size: number;
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
 * Samples of a run: every so often, which line of the notebook the kernel is at.
 */
export interface Profile {
  gpu: GpuUse;
  /**
   * Those that took the most time first.
   */
  lines: HotLine[];
  /**
   * How many processors the run could use; None: not asked, as in old sessions.
   */
  processors: number | null;
  /**
   * Time that was looked at; the time of libraries counts for the line that called them.
   */
  seconds: number;
}
/**
 * A line of the notebook that the kernel was seen at, again and again.
 */
export interface HotLine {
  /**
   * What the line was waiting for longest: module and name of the function called.
   */
  call: string;
  cell_id: string;
  /**
   * Position of the cell in the notebook, from 0 (Markdown cells count).
   */
  index: number;
  /**
   * Line in the cell's source, from 1; 0 where only the cell is known.
   */
  line: number;
  seconds: number;
  /**
   * Of all time that was looked at.
   */
  share: number;
  /**
   * The line's text.
   */
  source: string;
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
   * Why the score is not judged yet: then it is neither within the threshold nor better.
   */
  doubt: Doubt1 | null;
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
   * Whether it is the best score the metric has.
   */
  perfect: boolean;
  /**
   * Why there is no score, or none that is compared.
   */
  reason: Message[];
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
 * Why a score is not judged yet, whatever it is.
 */
export interface Doubt1 {
  /**
   * Ids of the failing cells that the submission depends on.
   */
  cells: string[];
  /**
   * The file that was there before the run and has the same predictions.
   */
  copy_of: string;
  /**
   * Whether the score would be within the threshold.
   */
  in_band: boolean;
}
/**
 * What made the notebook of an iteration in auto mode.
 */
export interface Origin {
  /**
   * Which of the alternatives for that iteration this is, from 1.
   */
  number: number;
  /**
   * How many were tried at the same time.
   */
  of: number;
  /**
   * Id of the proposal; it stands with the iteration it was made for.
   */
  proposal: string;
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
 * The user's word on one edit.
 */
export interface Decision {
  /**
   * The person said yes to what the edit changes in the experiment.
   */
  confirmed: boolean;
  /**
   * Only some of its hunks were accepted.
   */
  partial: boolean;
  state: EditState;
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
  remarks: Message[];
  scope: FixScope;
  usage: Usage;
}
/**
 * Something a patch does that a reviewer must know.
 */
export interface IntegrityNote {
  cell_id: string | null;
  code: string;
  /**
   * The line of the cell, from 1: of the new source, or of the old one for what is gone.
   */
  line: number | null;
  /**
   * What the note speaks of, by the names in its words.
   */
  parameters: {
    [k: string]: number | string | Message[];
  };
  severity: IntegritySeverity;
}
/**
 * Body of `POST /sessions/{id}/contrast`: what does it give today, against its own time?
 */
export interface CompareToday {
  /**
   * What runs today; None: the notebook of the best iteration.
   */
  notebook: Notebook | null;
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
 * Body of `POST /papers/claims`: a model completes the claims of a paper.
 */
export interface CompleteClaims {
  /**
   * Of question and answer together; None is no bound.
   */
  max_tokens: number | null;
  max_usd: number | null;
  /**
   * The paper's file, as the file browser names it.
   */
  path: string;
}
/**
 * One value in the three runs.
 */
export interface Contrast {
  /**
   * It is another one today, and the fix brings the old one back.
   */
  explained: boolean;
  /**
   * With today's, this change's fix applied too; None where there is none to apply, or where
   * that run has no such value.
   */
  fixed: string | null;
  name: string;
  /**
   * With today's, all other known fixes applied.
   */
  now: string;
  /**
   * With the old libraries, the notebook as it was.
   */
  then: string;
}
/**
 * How far a search goes on from its best version, step by step.
 *
 * Attributes:
 *     models: Models of the catalogue that a model is asked to put in; M of MLE-STAR.
 *     rounds: On another block each; T of MLE-STAR.
 *     steps: Of a round; K of MLE-STAR.
 *     ensembles: Ensembles that a model is asked for; R of MLE-STAR.
 *     most_runs: Notebook runs of the whole search.
 *     asks_model: Whether a model may be asked, where one is configured.
 */
export interface Course {
  asks_model: boolean;
  ensembles: number;
  models: number;
  most_runs: number;
  rounds: number;
  steps: number;
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
   * By edit id: SHA-256 (hex, UTF-8) of the source that the accepted part was checked against.
   * Needed for every `accepted` modification or deletion.
   */
  source_hashes?: {
    [k: string]: string;
  };
}
/**
 * Which competition the notebook's paths speak of, and which scores its texts.
 */
export interface DetectAnswer {
  competition: string | null;
  reason: Message[];
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
 * Answer to `POST /drafts`.
 */
export interface Draft {
  notebook: Notebook;
  /**
   * The competition's.
   */
  title: string;
}
/**
 * Body of `POST /drafts`: a first notebook for a competition; nothing is written.
 */
export interface DraftRequest {
  competition: string;
}
/**
 * What earlier searches on similar tasks found of a known change.
 *
 * Attributes:
 *     kind: The codemod.
 *     name: What it is called.
 *     tried: Searches it was tried in.
 *     better: In how many it was better.
 *     worse: In how many it was worse.
 */
export interface EarlierResult {
  better: number;
  kind: string;
  name: string;
  tried: number;
  worse: number;
}
/**
 * Which environment a notebook is to run in, and why.
 */
export interface EnvironmentChoice {
  /**
   * Distributions a run showed missing, which are in it too.
   */
  added: string[];
  /**
   * What the person asked for; None chooses.
   */
  asked: string | null;
  /**
   * Name of the environment that lacks `missing`.
   */
  compared: string;
  /**
   * The message that goes with the problem.
   */
  detail: string;
  /**
   * None: one is to be made.
   */
  environment: FoundEnvironment | null;
  /**
   * How many imported names were looked for.
   */
  imports: number;
  /**
   * Whether what the notebook's install lines ask for is in it, so that none is carried out.
   */
  lines_done: boolean;
  /**
   * Distributions to add (for `make`), by name.
   */
  missing: string[];
  /**
   * Hash of what the notebook needs: another notebook, another choice.
   */
  needs: string;
  /**
   * Why it could not be made, with `not-made`.
   */
  problem: MakingProblem | null;
  reason: ChoiceReason;
  /**
   * What is otherwise than asked for in a made one.
   */
  remarks: EnvironmentRemark[];
  /**
   * Missing imported names that no table knows.
   */
  unknown: string[];
}
/**
 * A Python on this machine, and what of a notebook's imports it has.
 */
export interface FoundEnvironment {
  /**
   * Where its files lie; a sandbox shows them read-only.
   */
  directories: string[];
  /**
   * Absolute path.
   */
  interpreter: string;
  /**
   * Version of its ipykernel; empty without.
   */
  ipykernel: string;
  /**
   * Imported names it lacks.
   */
  missing: string[];
  /**
   * What it is called and chosen by: the kernelspec, the conda environment, `server`, …
   */
  name: string;
  origin: EnvironmentOrigin;
  /**
   * Version by import name of what the notebook imports; empty text where it tells none.
   */
  packages: {
    [k: string]: string;
  };
  /**
   * Its version, `3.7.16`.
   */
  python: string;
  trouble: EnvironmentTrouble | null;
}
/**
 * One thing that is otherwise than asked for.
 */
export interface EnvironmentRemark {
  code: RemarkCode;
  package: string;
  used: string;
  wanted: string;
}
/**
 * What a notebook needs, what there is, and what would be chosen.
 */
export interface EnvironmentReport {
  choice: EnvironmentChoice;
  found: FoundEnvironment[];
  requirements: Requirements;
}
/**
 * What a notebook needs, as far as its text tells.
 */
export interface Requirements {
  /**
   * Versions that a file beside the notebook gives for packages the notebook does not name.
   */
  constraints: string[];
  /**
   * Imported names that are modules beside the notebook.
   */
  local: string[];
  packages: Requirement[];
  refused: RefusedRequirement[];
  /**
   * Imported names that no table and no file names a distribution for. They are asked for, and
   * never installed unless the person names the distribution.
   */
  unknown: string[];
}
/**
 * A distribution that a notebook needs.
 */
export interface Requirement {
  /**
   * The top-level names it is imported by; empty where it is asked for without an import.
   */
  imports: string[];
  /**
   * Normalized as on the package index: `scikit-learn`.
   */
  name: string;
  /**
   * Imported within `try`, or used by a call only: its lack alone is no reason to make an
   * environment.
   */
  optional: boolean;
  source: RequirementSource;
  /**
   * PEP 440, for example `==0.24.2`; empty where any version will do.
   */
  specifier: string;
}
/**
 * A text that names a package and is not taken as one.
 */
export interface RefusedRequirement {
  /**
   * Name of the file, or id of the cell.
   */
  origin: string;
  refusal: Refusal;
  text: string;
}
/**
 * Body of `POST /environments`: with which Pythons can it run? Nothing is made.
 */
export interface EnvironmentsRequest {
  notebook: Notebook;
  /**
   * Of the notebook: environments beside it count. Empty: it lies nowhere.
   */
  path: string;
  traces: Traces;
}
/**
 * A displayed equation, as LaTeX or as its text in a PDF.
 */
export interface Equation {
  number: string;
  page: number | null;
  section: number | null;
  text: string;
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
  /**
   * The most telling ones first.
   */
  libraries: LibraryEra[];
  /**
   * `pandas 0.20–0.25, sklearn 0.18–0.19 (2017–2018)`; empty where nothing is known.
   */
  summary: Message[];
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
   * What was seen.
   */
  text: Message[];
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
   * `pandas 0.20–0.25`, `pandas before 1.0`.
   */
  text: Message[];
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
   * In English, for people who read answers themselves.
   */
  message: string;
  /**
   * The same in codes, for clients with words of their own.
   */
  reason: Message[];
}
/**
 * The errors of a run, and the fix that is due.
 */
export interface ErrorDiagnosis {
  execution_status: ExecutionStatus;
  /**
   * In notebook order: root errors, their cascades, harmless ones.
   */
  findings: Finding[];
  /**
   * None where none is due.
   */
  fix_type: FixType | null;
  /**
   * What it comes to, for the status line.
   */
  summary: Message[];
}
/**
 * One type of error: how long it stays.
 */
export interface ErrorRow {
  /**
   * Root errors of this type after 0, 1, 2, … fixes, of all sessions that came so far.
   */
  by_fixes: number[];
  /**
   * Sessions that end with it.
   */
  left: number;
  name: string;
  /**
   * Sessions that met it as a root error.
   */
  sessions: number;
  /**
   * In how many sessions it was gone after 0, 1, 2, … fixes, counted from where it was met.
   */
  took: number[];
}
/**
 * Tokens and money of the model's part; what the rules mend costs nothing.
 */
export interface Estimate {
  basis: Basis;
  cached_input_tokens: Range;
  /**
   * None where the price of the model is not known.
   */
  cost_usd: Range | null;
  fixes: Range;
  input_tokens: Range;
  model: string;
  output_tokens: Range;
  price: Price | null;
  /**
   * Of one question about this notebook, about.
   */
  prompt_tokens: number;
  /**
   * The same as a sentence.
   */
  rests_on: string;
  /**
   * Earlier sessions it rests on; 0 for published figures.
   */
  sessions: number;
}
/**
 * A number that is not known yet.
 */
export interface Range {
  high: number;
  likely: number;
  low: number;
}
/**
 * USD per million tokens.
 */
export interface Price {
  /**
   * The day of the list it stands in; None for a price that was given without one.
   */
  as_of: string | null;
  cached_input: number;
  input: number;
  /**
   * Reasoning tokens are output, and cost the same.
   */
  output: number;
  /**
   * The page or file it was taken from.
   */
  source: string;
}
/**
 * Body of `POST /estimate`: what will an auto run cost? Nothing runs and nothing is kept.
 */
export interface EstimateRequest {
  notebook: Notebook;
  settings: SessionSettings;
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
  messages: ChatMessage[];
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
 * A figure's caption.
 */
export interface Figure {
  caption: string;
  number: string;
  page: number | null;
  section: number | null;
}
/**
 * A path that the code names and a run does not find.
 */
export interface FileFinding {
  /**
   * Files that may be meant, as a notebook writes their paths.
   */
  candidates: string[];
  /**
   * The cell that uses it.
   */
  cell_id: string;
  path: string;
  /**
   * The one that is proposed; None: there is none, or several, of which a person chooses.
   */
  taken: string | null;
  /**
   * The code writes it, into a folder that is not there.
   */
  written: boolean;
}
/**
 * All that finishing a notebook puts into it.
 */
export interface FinishedRun {
  cells: CellOutputs[];
  cut: boolean;
  notebook_hash: string;
  provenance: Provenance;
  run: number;
}
/**
 * Where the outputs of a finished notebook come from; stands in its metadata.
 */
export interface Provenance {
  competition: string | null;
  deviation: number | null;
  deviation_is_absolute: boolean;
  finished_at: string;
  fixes: number;
  image: string;
  metric: string | null;
  /**
   * The language models whose edits went in.
   */
  models: string[];
  /**
   * What the session came to (a `Verdict`), or the diagnosis of the run (an `Outcome`).
   */
  outcome: string;
  /**
   * Version by import name, of what the notebook imports.
   */
  packages: {
    [k: string]: string;
  };
  python: string;
  /**
   * Number of the run the outputs are of.
   */
  run: number;
  sandbox: string;
  score: number | null;
  seconds: number;
  session: string;
  /**
   * `sources_crc32` of the cells: whether the notebook was changed since.
   */
  sources_crc32: string;
  target_score: number | null;
  /**
   * Name and version of this program.
   */
  tool: string;
}
/**
 * Sessions that made this many fixes.
 */
export interface FixCount {
  fixes: number;
  /**
   * Those whose best run is reproducible.
   */
  reproducible: number;
  sessions: number;
}
/**
 * One fix and what it led to.
 */
export interface FixFacts {
  /**
   * How many of the edits went into the notebook that ran next.
   */
  accepted: number;
  after: State;
  before: State;
  edits: number;
  fix_type: FixType;
  fixer: FixerName;
  /**
   * The run after which it was proposed; 0 is before the first.
   */
  iteration: number;
  /**
   * Whether a rule had a part in it that a model's fix taught.
   */
  learned: boolean;
  model: string;
  proposal: string;
  scope: FixScope;
  /**
   * Of the notebook that ran next to the one the fix was made for.
   */
  similarity: number | null;
  usage: Usage;
}
/**
 * The fixes of one kind and what they led to (a row of the paper's Table 4).
 */
export interface FixRow {
  applied: number;
  /**
   * How often a model was asked, also in vain.
   */
  asked: number;
  /**
   * How many of the applied ones led there; what is not listed, none.
   */
  led_to: {
    [k: string]: number;
  };
  /**
   * The fix type, the scope or the fixer.
   */
  name: string;
  proposed: number;
  /**
   * How many of the applied ones made the notebook reproducible: not so before, so after.
   */
  reproducible: number;
  /**
   * To the notebook that each applied fix was made for.
   */
  similarity: Spread | null;
  usage: Usage;
}
/**
 * How numbers are spread; quartiles by linear interpolation.
 */
export interface Spread {
  count: number;
  least: number;
  /**
   * First quartile.
   */
  lower: number;
  mean: number;
  median: number;
  most: number;
  /**
   * Third quartile.
   */
  upper: number;
}
/**
 * How the validation folds are made of the public training data.
 *
 * Attributes:
 *     count: How many folds.
 *     split: How rows are assigned to them.
 *     column: The group's or the time's column.
 *     seed: The same seed gives the same folds.
 *     reason: Code of why this split was chosen: `asked`, `labels`, `time`, `group`, `default`.
 *     table: The training table, by its path below the public directory.
 *     rows: Rows of that table.
 *     held_out: Rows that each fold holds out, of the first partition of the rows.
 *     classes: The labels, where there are few; empty where there are many.
 *     copies: Rows that the last fold holds out and that stand among its training rows too, ids
 *         apart; 0 where they are one in a hundred or fewer.
 */
export interface FoldPlan {
  classes: string[];
  column: string | null;
  copies: number;
  count: number;
  held_out: number[];
  reason: string;
  rows: number;
  seed: number;
  split: SplitKind;
  table: string;
}
/**
 * A run of a notebook on one fold.
 *
 * Attributes:
 *     fold: Its number, from 1.
 *     score: By the competition's metric; None where there is none.
 *     seconds: How long the run took.
 *     reason: Why there is no score.
 */
export interface FoldScore {
  fold: number;
  reason: Message[];
  score: number | null;
  seconds: number;
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
  /**
   * Certain, or the old form itself stands there; False: only a name was seen that it has to do
   * with, which in most notebooks comes to nothing.
   */
  likely: boolean;
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
 * The difference of two notebooks' scores over folds; positive is better, whatever the metric.
 *
 * Attributes:
 *     mean: Mean of the paired differences.
 *     low: Lower end of the corrected interval; None with one fold.
 *     high: Upper end.
 *     p: Of the corrected paired t-test, two-sided; None where it is not defined.
 *     confidence: Of the interval, after correction for the number of candidates.
 */
export interface Gain {
  confidence: number;
  high: number | null;
  low: number | null;
  mean: number;
  p: number | null;
}
/**
 * Body of `POST /sessions/{id}/improve`: is a changed version better on validation folds?
 */
export interface Improve {
  /**
   * Find out first what each part of the notebook is worth.
   */
  ablate: boolean;
  /**
   * Seconds that all runs together may take; None is no bound.
   */
  budget: number | null;
  /**
   * The group's or the time's column, where rows are assigned by one.
   */
  column: string | null;
  folds: number;
  /**
   * Of the rows into folds, at most: for what looks better but cannot be told apart.
   */
  partitions: number;
  /**
   * Go on with what matters most, step by step from the best version so far.
   */
  refine: Course | null;
  /**
   * What blocks do where a person knows better than the code shows.
   *
   * @maxItems 1000
   */
  roles: RoleChoice[];
  /**
   * How rows are assigned to folds; None: as the competition itself seems split.
   */
  split: SplitKind | null;
}
/**
 * What a block does as a person says.
 *
 * Attributes:
 *     cell_id: The cell.
 *     text: The block's first line, as `Block.text`.
 *     role: What it does.
 */
export interface RoleChoice {
  cell_id: string;
  role: BlockRole;
  text: string;
}
/**
 * A search for a better score on validation folds.
 *
 * Attributes:
 *     folds: How the folds are made.
 *     higher_is_better: The direction of the metric.
 *     baseline: The notebook as it was.
 *     candidates: What was tried against it, in that order.
 *     runs: Notebook runs so far, those of the experiments included.
 *     done: Whether no more runs come.
 *     cancelled: The user stopped it; what was measured is kept.
 *     searched: The candidates were written by codemods, none was handed in.
 *     tried: How many candidates the intervals are widened for, beside further looks at folds.
 *     leaks: Places of the baseline's code that may leak, in its order.
 *     unopened: Public files that the baseline's code names nowhere.
 *     experiments: What runs of the baseline on changed data of the last fold show of leaks.
 *     opinion: What a model thinks of leaks; None where none was asked.
 *     budget: Seconds that the runs may take; None is no bound.
 *     over_budget: The baseline alone would take more than the budget, so nothing was compared.
 *     cut_short: Candidates were left out because the budget would not do for them.
 *     blocks: The baseline's parts and what they do, in its order.
 *     ablations: The baseline without one part each, in the order they were tried. What loses
 *         shows what the part is worth; one that is better is as good as a candidate.
 *     refined: The best version was refined step by step.
 *     unused: What a model was asked for and what was not tried.
 *     most_runs: Notebook runs that the search may take; None is no bound.
 *     earlier: What earlier searches on similar tasks found, the most promising change first.
 */
export interface Improvement {
  ablations: TriedVersion[];
  baseline: TriedVersion;
  blocks: Block[];
  budget: number | null;
  cancelled: boolean;
  candidates: TriedVersion[];
  cut_short: boolean;
  done: boolean;
  earlier: EarlierResult[];
  experiments: Proof[];
  folds: FoldPlan;
  higher_is_better: boolean;
  leaks: Leak[];
  most_runs: number | null;
  opinion: LeakOpinion | null;
  over_budget: boolean;
  refined: boolean;
  runs: number;
  searched: boolean;
  tried: number;
  unopened: string[];
  unused: UnusedPlan[];
}
/**
 * A version of the notebook that was tried.
 *
 * Attributes:
 *     name: How it is called.
 *     notebook_hash: What ran.
 *     scores: One for each fold it ran on.
 *     gain: Against the baseline, over the folds that both have scores for; None without any.
 *     comparison: The verdict; None while it is not settled.
 *     raced_out: The first fold set it aside as clearly worse.
 *     kind: The codemod that wrote it, e.g. `boosting`; `combined` for several in one; empty for
 *         a version that was handed in.
 *     what: What it changes.
 *     block: Number of the block that it changes first; None where that is not known.
 *     parent: Name of the version it was made of; empty for the baseline, or where it was handed
 *         in.
 *     step: Its gain over that version, over the folds that both have scores for.
 *     round: The round of a refinement, from 1; 0 for what belongs to none.
 *     source: Who had the plan.
 */
export interface TriedVersion {
  block: number | null;
  comparison: Comparison | null;
  gain: Gain | null;
  kind: string;
  name: string;
  notebook_hash: string;
  parent: string;
  raced_out: boolean;
  round: number;
  scores: FoldScore[];
  source: PlanSource;
  step: Gain | null;
  what: Message[];
}
/**
 * One experiment and what it showed.
 */
export interface Proof {
  code: ProofCode;
  kind: ProofKind;
  outcome: ProofOutcome;
  /**
   * What the code speaks of: scores, a file, cells.
   */
  parameters: {
    [k: string]: string;
  };
  /**
   * Why it is not possible, to follow on a `because`.
   */
  reason: Message[];
  /**
   * Size of the sample of the training data it was made on; empty for all of the data.
   */
  sample: Message[];
  /**
   * What the run behind it took; 0 where there was none.
   */
  seconds: number;
}
/**
 * A place in the code that may leak.
 *
 * Attributes:
 *     kind: How.
 *     cell_id: The cell.
 *     cell: Which code cell it is, from 1.
 *     line: Of the cell, from 1.
 *     name: What it is about: a class, a function or a column; empty where nothing is named.
 */
export interface Leak {
  cell: number;
  cell_id: string;
  kind: LeakKind;
  line: number;
  name: string;
}
/**
 * What a model thinks of leaks in a notebook; it decides nothing.
 *
 * Attributes:
 *     leaks: Whether there is one; None where the model gave no opinion.
 *     cells: Where, by the numbers of code cells from 1.
 *     why: In the model's words.
 *     reason: Why there is no opinion.
 */
export interface LeakOpinion {
  cells: number[];
  leaks: boolean | null;
  reason: Message[];
  why: string;
}
/**
 * A change that a model was asked for and that was not tried.
 *
 * Attributes:
 *     kind: The step of the course, e.g. `refine`.
 *     round: The round, from 1; 0 for what belongs to none.
 *     reason: Why.
 */
export interface UnusedPlan {
  kind: string;
  reason: Message[];
  round: number;
}
/**
 * A run that continued in the kernel that waited at the first root error.
 */
export interface ResumedRun {
  /**
   * How its outputs compare with those saved in the notebook's file; None where none were.
   */
  agreement: OutputAgreement | null;
  /**
   * Lines added and removed against the notebook as it was when the session began.
   */
  changed_lines: number;
  /**
   * The work ended before its diagnosis: it was cancelled or interrupted, or broke down.
   */
  cut_off: boolean;
  diagnosis: Diagnosis | null;
  execution: Execution | null;
  /**
   * None until it has been graded.
   */
  grade: Grade | null;
  kind: 'resumed';
  /**
   * Which notebook ran; the sources are kept beside the log.
   */
  notebook_hash: string;
  /**
   * From 1.
   */
  number: number;
  /**
   * Which proposal made the notebook; None where the user did.
   */
  origin: Origin | null;
  reviews: Review[];
  spent: Usage;
  started_at: string;
  usage: Usage;
}
/**
 * A run on a sample of the data: it is not graded and has no outcome.
 */
export interface RehearsalRun {
  /**
   * Lines added and removed against the notebook as it was when the session began.
   */
  changed_lines: number;
  /**
   * The work ended before its diagnosis: it was cancelled or interrupted, or broke down.
   */
  cut_off: boolean;
  diagnosis: ErrorDiagnosis | null;
  execution: Execution | null;
  kind: 'rehearsal';
  /**
   * Which notebook ran; the sources are kept beside the log.
   */
  notebook_hash: string;
  /**
   * From 1.
   */
  number: number;
  /**
   * Which proposal made the notebook; None where the user did.
   */
  origin: Origin | null;
  /**
   * What it ran on; None until it has been diagnosed.
   */
  rehearsal: Rehearsal | null;
  reviews: Review[];
  spent: Usage;
  started_at: string;
  usage: Usage;
}
/**
 * What an iteration of the kind `rehearsal` was: it decides nothing.
 */
export interface Rehearsal {
  /**
   * By cell id: why its error may come from the sample.
   */
  doubtful: {
    [k: string]: Message[];
  };
  /**
   * About how many rows of a table were asked for.
   */
  rows: number;
  sample: Sample;
  /**
   * What it took to have the sample; next to nothing where it was there already.
   */
  seconds_for_sample: number;
}
/**
 * What a sample of a competition's data consists of.
 */
export interface Sample {
  /**
   * Pictures and the like that no sampled row names.
   */
  files_left_out: number;
  /**
   * What could not be kept consistent.
   */
  notes: Message[];
  /**
   * Those that were cut; the others are whole.
   */
  tables: SampledTable[];
}
/**
 * A table of which the sample holds some rows only.
 */
export interface SampledTable {
  /**
   * Path below the competition's public directory.
   */
  name: string;
  /**
   * In the data.
   */
  of: number;
  /**
   * In the sample.
   */
  rows: number;
}
/**
 * Body of `POST /sessions/{id}/rules`.
 */
export interface KeepRule {
  /**
   * Of a rule that the session's fixes teach.
   */
  id: string;
}
/**
 * A rule made of a fix that held.
 */
export interface LearnedRule {
  /**
   * A YAML file with the rule, to be put into a folder with rules of one's own.
   */
  content: string;
  /**
   * The same for the same change, whichever notebook it was learned from.
   */
  id: string;
  /**
   * Import name of what has changed.
   */
  library: string;
  /**
   * The same place as it was mended.
   */
  new: string;
  /**
   * One of the places as it was.
   */
  old: string;
  /**
   * At how many places of the notebook it was seen.
   */
  places: number;
  /**
   * The old libraries in which the old call ran, as it was; empty where that is not known.
   */
  tried: string;
}
/**
 * The rules that a session's fixes teach, and what has been kept of them.
 */
export interface LearnedRules {
  /**
   * Whether the server has such a folder.
   */
  folder: boolean;
  /**
   * Ids of those that are in the folder with rules of one's own.
   */
  kept: string[];
  rules: LearnedRule[];
}
/**
 * Whether a language model is configured; never its key.
 */
export interface LlmInfo {
  configured: boolean;
  model: string;
  /**
   * None where it is not known.
   */
  price: Price | null;
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
 * Answer to `POST /papers/notebook`.
 */
export interface MadeReproduction {
  /**
   * The notebook, as the file browser names it.
   */
  path: string;
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
 * Body of `POST /papers/notebook`: a new notebook beside a paper, to reproduce its claims.
 */
export interface MakeReproduction {
  /**
   * Ids of the claims; empty: those of the paper's best table.
   *
   * @maxItems 50
   */
  claims: string[];
  /**
   * The paper's file, as the file browser names it.
   */
  path: string;
}
/**
 * A rectangle on the picture of a page, in shares of its width and height from the top left.
 */
export interface Mark {
  bottom: number;
  left: number;
  right: number;
  top: number;
}
/**
 * Body of `POST /sessions/{id}/noise`: how far does the score move by itself?
 */
export interface MeasureNoise {
  /**
   * How many runs; None: as the settings say.
   */
  runs: number | null;
}
/**
 * A module that a run did not find, and the distribution that has it.
 */
export interface MissingPackage {
  /**
   * The top-level name it is imported by.
   */
  module: string;
  /**
   * Name on the package index; None where no table knows it: a person has to name it.
   */
  package: string | null;
}
/**
 * Repeated runs of one notebook, as it is and with other seeds, and their spread.
 */
export interface Noise {
  answer: NoiseAnswer;
  asked: number;
  done: boolean;
  high: number | null;
  /**
   * The iteration it is the notebook of; its score belongs to the sample.
   */
  iteration: number;
  /**
   * From here to `high` one more score would lie with 95 % probability.
   */
  low: number | null;
  /**
   * What it says and by which rule.
   */
  message: Message[];
  /**
   * How many standard deviations the target is from the mean score.
   */
  multiple: number | null;
  notebook_hash: string;
  /**
   * Whether the notebook as it is gives the same score again; None: not tried.
   */
  repeats: boolean | null;
  runs: RepeatedRun[];
  score: number | null;
  /**
   * The seeds the notebook fixes, as they stand in its code: other values were tried.
   */
  seeds: string[];
  spread: Spread1 | null;
  target: number | null;
}
/**
 * One clean run that was made to measure, not to fix: it is no iteration.
 */
export interface RepeatedRun {
  /**
   * From 1.
   */
  number: number;
  outcome: Outcome;
  /**
   * Why there is no score.
   */
  reason: Message[];
  /**
   * Of a copy with other seeds.
   */
  reseeded: boolean;
  score: number | null;
  /**
   * Wall-clock time of the notebook.
   */
  seconds: number;
  within_threshold: boolean;
}
/**
 * A sample of scores in figures.
 */
export interface Spread1 {
  count: number;
  /**
   * Standard deviation of the sample (n - 1); None for a single score.
   */
  deviation: number | null;
  greatest: number;
  high: number | null;
  least: number;
  /**
   * Lower end of the 95 % confidence interval of the mean (Student's t).
   */
  low: number | null;
  mean: number;
  /**
   * All scores are the same, but for rounding.
   */
  steady: boolean;
}
/**
 * Sessions that went from one state to another.
 */
export interface OutcomeCount {
  best: State;
  first: State;
  sessions: number;
}
/**
 * A run of today, cell by cell against the run in the libraries of its time.
 */
export interface OwnTimeContrast {
  /**
   * How many of them gave the same, settings of estimators aside.
   */
  agreeing: number;
  /**
   * Those that give something else, in notebook order; the first ones where there are many.
   */
  cells: CellContrast[];
  /**
   * How many cells could be compared.
   */
  compared: number;
  /**
   * The first cell that gives something else; one with only other settings where none does.
   *
   * None where all cells give the same.
   */
  first: CellContrast | null;
  /**
   * Number of that run; None where it was none of the session's iterations.
   */
  iteration: number | null;
  /**
   * What ran today.
   */
  notebook_hash: string;
  /**
   * How many values differ from run to run today already, and were not compared.
   */
  unsteady: number;
}
/**
 * What a notebook gave in the libraries of its own time.
 */
export interface OwnTimeRun {
  /**
   * How many of them were the same.
   */
  agreeing: number;
  /**
   * How many cells' outputs could be compared with the saved ones.
   */
  compared: number;
  end: OwnTimeEnd;
  /**
   * Id of the environment made for it, which keeps the lock.
   */
  environment: string;
  /**
   * Ids of the cells that fail by themselves.
   */
  failing: string[];
  /**
   * SHA-256 of the lock.
   */
  lock: string;
  notebook_hash: string;
  /**
   * Version by distribution of what the notebook needs.
   */
  packages: {
    [k: string]: string;
  };
  python: string;
  /**
   * Ids of the cells that ran to their end.
   */
  ran: string[];
  /**
   * Why there is no score, or what fails first.
   */
  reason: Message[];
  remarks: EnvironmentRemark[];
  score: number | null;
  score_kind: ScoreKind;
  /**
   * Of the run.
   */
  seconds: number;
  /**
   * No package is newer than this day.
   */
  until: string | null;
}
/**
 * A page of a PDF as it is printed, to look at beside the numbers that were read from it.
 */
export interface PagePicture {
  height: number;
  /**
   * Where the text that was asked for stands.
   */
  marks: Mark[];
  /**
   * Counted from 1.
   */
  page: number;
  /**
   * The picture, in base64.
   */
  png: string;
  /**
   * In pixels.
   */
  width: number;
}
/**
 * All that was read from a paper's file.
 */
export interface Paper {
  algorithms: Algorithm[];
  equations: Equation[];
  figures: Figure[];
  format: PaperFormat;
  pages: number | null;
  references: Reference[];
  remarks: PaperRemark[];
  sections: Section[];
  tables: PaperTable[];
  title: string;
}
/**
 * An entry of the bibliography.
 */
export interface Reference {
  arxiv: string;
  /**
   * Where the paper cites it.
   */
  citations: Place[];
  doi: string;
  /**
   * The citation's key in LaTeX; elsewhere its number or place in the list.
   */
  key: string;
  text: string;
  title: string;
  url: string;
  year: number | null;
}
/**
 * One remark: a code, and what it is about.
 */
export interface PaperRemark {
  code: PaperRemarkCode;
  parameter: string;
}
/**
 * A heading with the text up to the next one.
 */
export interface Section {
  appendix: boolean;
  level: number;
  /**
   * As printed, for example "3.2"; empty where unnumbered.
   */
  number: string;
  page: number | null;
  text: string;
  title: string;
}
/**
 * A table with the text of each cell.
 */
export interface PaperTable {
  caption: string;
  /**
   * How many rows at the top are headings.
   */
  header_rows: number;
  /**
   * As printed, for example "2".
   */
  number: string;
  page: number | null;
  rows: TableCell[][];
  section: number | null;
}
/**
 * One cell; a cell over several columns or rows is repeated in each of them.
 */
export interface TableCell {
  bold: boolean;
  /**
   * It is one of several that were one cell.
   */
  spans: boolean;
  text: string;
}
/**
 * A paper, what it claims, and what it says of its method.
 */
export interface PaperReading {
  checklist: Requirement1[];
  claims: Claim[];
  /**
   * What a model was asked to add to the claims; None where none was asked.
   */
  completion: ClaimCompletion | null;
  /**
   * The cited works that it builds on most.
   */
  lineage: Ancestor[];
  paper: Paper;
}
/**
 * One item of the checklist.
 */
export interface Requirement1 {
  /**
   * Python expression that stands in where nothing is stated; empty where none can.
   */
  assumption: string;
  /**
   * Best first.
   */
  evidence: Evidence1[];
  /**
   * Identifier: "learning_rate".
   */
  name: string;
  statement: Statement;
  topic: Topic;
  /**
   * Of the best evidence; empty where none is readable.
   */
  value: string;
}
/**
 * One place where a paper states a requirement.
 */
export interface Evidence1 {
  place: Place;
  quote: string;
  /**
   * Keys of the works that the sentence cites.
   */
  references: string[];
  /**
   * What it states, as far as rules can read it: "0.001", "Adam".
   */
  value: string;
}
/**
 * What will break and why, cell by cell; nothing has run.
 */
export interface Preflight {
  /**
   * Which Python and packages it would run with, and why; None where the sandbox has its own.
   */
  choice: EnvironmentChoice | null;
  environment: Environment;
  era: Era;
  /**
   * Paths that a run will not find.
   */
  files: FileFinding[];
  /**
   * When and for what the notebook was written, and what it meets; empty where unknown.
   */
  headline: Message[];
  /**
   * In notebook order.
   */
  items: Foreseen[];
  /**
   * How many of those are likely to.
   */
  likely: number;
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
  text: Message[];
}
/**
 * Body of `POST /preflight`: what will break? Nothing runs and nothing is kept.
 */
export interface PreflightRequest {
  notebook: Notebook;
  /**
   * Of the notebook: what lies beside it counts. Empty: it lies nowhere.
   */
  path: string;
  settings: SessionSettings;
  traces: Traces;
}
/**
 * A score that a saved output shows, offered as a target.
 */
export interface PrintedScore {
  cell_id: string;
  /**
   * As the output calls it: `Validation AUC`.
   */
  name: string;
  ordinal: number;
  /**
   * The text around the number, with `{}` in its place, as `ScoreReading.pattern` wants it.
   */
  pattern: string;
  value: number;
}
/**
 * A notebook's silent changes, tried with the libraries of its time and with today's.
 */
export interface Probe {
  /**
   * In notebook order.
   */
  items: Probed[];
  /**
   * What else should be known of the experiment.
   */
  notes: Message[];
  now: Environment;
  rows: number;
  then: Environment;
}
/**
 * The experiment on one silent change in one cell.
 */
export interface Probed {
  cell_id: string;
  /**
   * How many values were compared.
   */
  compared: number;
  /**
   * Values that differ, those that the change explains first.
   */
  contrasts: Contrast[];
  /**
   * How many could not be: they exist with the old libraries only, or with today's only.
   */
  incomparable: number;
  library: string;
  link: string;
  rule: string;
  since: string;
  /**
   * How many more differ.
   */
  unlisted: number;
  verdict: Told;
  what: string;
  /**
   * For `UNTOLD`, and where more should be known.
   */
  why: string;
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
  /**
   * Which of several runs of a measurement this is; empty for an iteration's.
   */
  label: Message[];
  message: Message[];
  /**
   * Which code cell is at work, from 1.
   */
  ordinal: number | null;
  /**
   * Seconds of this run, where it is a rehearsal; None: those of the settings.
   */
  time_limit: number | null;
  total: number | null;
  usage: Usage;
  /**
   * Nothing is done yet: other work comes first.
   */
  waiting: boolean;
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
  messages: ChatMessage[];
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
 * Body of `POST /sessions/{id}/improve/proposal`.
 */
export interface ProposeVersion {
  /**
   * The version's, which was better.
   */
  notebook_hash: string;
}
/**
 * Body of `POST /papers`: what does a paper say? Nothing is kept.
 */
export interface ReadPaper {
  /**
   * The paper's file, as the file browser names it.
   */
  path: string;
}
/**
 * What stood in a notebook where finishing put something else: to take it back.
 */
export interface ReplacedByFinish {
  /**
   * Of every code cell, in notebook order.
   *
   * @maxItems 20000
   */
  cells: CellOutputs[];
  /**
   * Of the finish that replaced it, as in its `Provenance`.
   */
  finished_at: string;
  /**
   * The parts of the notebook's metadata that finishing changes; one that is missing was not
   * there.
   */
  metadata: {
    [k: string]: JsonValue;
  };
}
/**
 * Body of `POST /batches/review`: what does a batch propose for one of its notebooks?
 */
export interface ReviewBatchResult {
  /**
   * Of the result.
   */
  key: string;
  /**
   * The batch's folder, as the file browser names it.
   */
  path: string;
}
/**
 * One run of a session.
 */
export interface RunFacts {
  /**
   * Root errors by type; cascades and harmless ones do not count.
   */
  errors: {
    [k: string]: number;
  };
  /**
   * How many fixes were made before it.
   */
  fixes: number;
  number: number;
  /**
   * Wall-clock time of the cells; None where it never got so far.
   */
  seconds: number | null;
  /**
   * 1 − edit distance of the code cells / their length: 1 is the same, 0 nothing in common.
   */
  similarity_to_original: number;
  /**
   * The same to the run before; None for the first.
   */
  similarity_to_previous: number | null;
  state: State;
}
/**
 * One sandbox and whether it can be used here.
 */
export interface SandboxInfo {
  available: boolean;
  isolated: boolean;
  name: string;
  /**
   * Where not: why, and what to do about it.
   */
  reason: Message[];
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
   * That the data root is not there, and how to name another; empty where it is.
   */
  no_data: Message[];
  /**
   * Names of old libraries that silent changes can be compared with.
   */
  old_pythons: string[];
  /**
   * What failed when the server started, and competitions that could not be read: a sentence
   * each.
   */
  problems: Message[];
  sandboxes: SandboxInfo[];
  version: string;
}
/**
 * The whole modernization of one notebook, as of event `seq`.
 */
export interface Session {
  /**
   * The kernel of its own time that was put into Jupyter's menu.
   */
  backport: Backport | null;
  /**
   * Number of the best iteration so far: outcome first, then deviation, then fewest changes.
   */
  best: number | null;
  /**
   * Searches for the cause of a score's distance, one a notebook that was looked into.
   */
  calibrations: Calibration[];
  /**
   * What the latest run of today that was compared with it gives otherwise.
   */
  contrast: OwnTimeContrast | null;
  created_at: string;
  /**
   * What else there is to say of that; mostly why there is no fix.
   */
  details: Message[];
  /**
   * Which Python and packages it runs with, and why; None until work begins, and where the
   * sandbox has a Python of its own.
   */
  environment: EnvironmentChoice | null;
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
  /**
   * The latest search for a better score on validation folds.
   */
  improvement: Improvement | null;
  iterations: Iteration[];
  /**
   * Paths that the notebook's latest run did not find, and the files that may be meant.
   */
  lost_files: FileFinding[];
  /**
   * Where it stands, with the next step.
   */
  message: Message[];
  /**
   * Modules that the latest run did not find and whose packages it was not given.
   */
  missing_packages: MissingPackage[];
  /**
   * How far the score moves by itself, where that was measured; the latest.
   */
  noise: Noise | null;
  /**
   * The notebook as it was when the session began.
   */
  notebook_hash: string;
  /**
   * What it gave, unchanged, in the libraries of its own time; the latest.
   */
  own_time: OwnTimeRun | null;
  /**
   * Path of the notebook, relative to the server's root (or the file the CLI was given).
   */
  path: string;
  phase: Phase;
  /**
   * Scores that the outputs saved in its file show, the last of the notebook first.
   */
  printed_scores: PrintedScore[];
  /**
   * The latest comparison of silent changes with old libraries.
   */
  probe: Probe | null;
  progress: Progress | null;
  /**
   * What experiments showed of where a notebook's result comes from; the latest.
   */
  proofs: Proof[];
  /**
   * Hash of the notebook that `proofs` are about.
   */
  proven: string;
  /**
   * What came of the run that `message` is about, where no target says so.
   *
   * In auto mode that is the best one, in step mode the latest. Empty where it has no outcome.
   */
  result: Message[];
  /**
   * Of fixes that were proposed before the first run; the others are with their iterations.
   */
  reviews: Review[];
  /**
   * Whether runs have a score or should have one; else their saved outputs are all there is.
   *
   * A competition, a target, or a score that a run has.
   */
  scored: boolean;
  /**
   * Number of the last event of the log that is folded in here.
   */
  seq: number;
  settings: SessionSettings;
  spent: Usage;
  /**
   * Why the latest work went without a rehearsal although one was asked for.
   */
  unrehearsed: Message[];
  updated_at: string;
  usage: Usage;
  verdict: Verdict | null;
  /**
   * Repeated runs, where they were asked for; the latest.
   */
  verification: Verification | null;
  /**
   * Where a run waits to go on; None where the next run begins with the first cell.
   */
  waiting: Waiting | null;
  /**
   * Addresses that the latest run could not reach and that can be fetched for it.
   */
  wanted_resources: string[];
  /**
   * How long was worked on it, waiting in line and the user's turns not counted.
   */
  worked_seconds: number;
  /**
   * How far a model has written the notebook of a paper's experiment; the latest.
   */
  writing: SessionWriting | null;
}
/**
 * Repeated clean runs of one notebook, each in a fresh kernel, and what they say.
 */
export interface Verification {
  answer: Answer;
  /**
   * How many runs were asked for.
   */
  asked: number;
  cancelled: boolean;
  /**
   * Of the mean score from the target, as a grade's.
   */
  deviation: number | null;
  /**
   * No more runs come.
   */
  done: boolean;
  /**
   * Why there are fewer runs than asked for; empty where there are not, or it goes on.
   */
  ended: Message[];
  /**
   * The iteration it is the notebook of; None where none ran it.
   */
  iteration: number | null;
  kind: VerificationKind;
  /**
   * What it says and by which rule.
   */
  message: Message[];
  /**
   * The notebook that ran.
   */
  notebook_hash: string;
  /**
   * One-sample t-test, two-sided, of the scores against the target; None where it is not
   * defined: fewer than two scores, or all the same.
   */
  p_value: number | null;
  runs: RepeatedRun[];
  /**
   * How many of the runs are.
   */
  runs_within: number;
  /**
   * Of the scores so far.
   */
  spread: Spread1 | null;
  target: number | null;
  threshold: number;
  /**
   * Whether the mean score is inside the band.
   */
  within_threshold: boolean;
}
/**
 * Where a session's run waits; the next run goes on from there, if nothing before changed.
 */
export interface Waiting {
  /**
   * The cell that failed.
   */
  cell_id: string;
  /**
   * What ran; the run can go on with a notebook whose code before that cell is the same.
   */
  notebook_hash: string;
  /**
   * Which code cell it is, from 1.
   */
  ordinal: number;
  since: string;
  /**
   * When the kernel is ended at the latest.
   */
  until: string;
}
/**
 * How far the notebook of a session has been written: as a `Writing`, with hashes.
 */
export interface SessionWriting {
  /**
   * The notebook as the user had it; for another one writing begins anew.
   */
  base_hash: string;
  /**
   * Of what is to be reproduced: for something else writing begins anew.
   */
  experiment_hash: string;
  /**
   * The notebook as far as it is written; in no document before it is accepted.
   */
  notebook_hash: string;
  /**
   * A clean run of it, as it is, met no error: it was put up for review.
   */
  ran: boolean;
  /**
   * Of work.
   */
  seconds: number;
  /**
   * Those that have ended.
   */
  stages: WrittenStage[];
  usage: Usage;
}
/**
 * What came of a stage.
 */
export interface WrittenStage {
  /**
   * All that was changed, round by round.
   */
  edits: CellEdit[];
  ending: StageEnding;
  /**
   * What is still wrong; empty where nothing is.
   */
  problem: string;
  /**
   * How often the model was asked.
   */
  rounds: number;
  /**
   * Of running what was written.
   */
  seconds: number;
  stage: WritingStage;
}
/**
 * What a session's statistics are made of.
 */
export interface SessionFacts {
  best: State;
  created_at: string;
  first: State;
  /**
   * Every proposal, taken or not, in order; an auto session's final review is none.
   */
  fixes: FixFacts[];
  fixes_made: number;
  mode: Mode;
  path: string;
  phase: Phase;
  runs: RunFacts[];
  /**
   * The event up to which they hold.
   */
  seq: number;
  session: string;
  /**
   * Of the best run's notebook to the original; None before any run.
   */
  similarity: number | null;
  spent: SpentFacts[];
  usage: Usage;
  verdict: Verdict | null;
}
/**
 * What a run's fixers cost that came back with nothing.
 */
export interface SpentFacts {
  fix_type: FixType;
  scope: FixScope;
  usage: Usage;
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
 * Answer of `GET /sessions`, newest first, at most 100 at once.
 */
export interface SessionList {
  /**
   * What `before` is for those that come after these; null where these are the last.
   */
  older: number | null;
  sessions: SessionSummary[];
  /**
   * How many there are on all pages, also those that cannot be read.
   */
  total: number;
}
/**
 * A session in a list.
 */
export interface SessionSummary {
  created_at: string;
  /**
   * Proposals that went into the notebook.
   */
  fixes: number;
  id: string;
  path: string;
  phase: Phase;
  /**
   * What came of it where no verdict says so; empty where no run came to its end.
   */
  result: Message[];
  runs: number;
  /**
   * Of the best run.
   */
  score: number | null;
  seq: number;
  updated_at: string;
  verdict: Verdict | null;
}
/**
 * Answer of `GET /sessions/{id}/statistics`.
 */
export interface SessionStatistics {
  facts: SessionFacts;
  statistics: Statistics;
}
/**
 * Of some sessions.
 */
export interface Statistics {
  by_fixer: FixRow[];
  by_scope: FixRow[];
  by_type: FixRow[];
  /**
   * The most frequent type first.
   */
  errors: ErrorRow[];
  /**
   * By number of fixes, from the fewest.
   */
  fixes_made: FixCount[];
  /**
   * A session; None without sessions.
   */
  mean_fixes: number | null;
  /**
   * A session whose best run is reproducible.
   */
  mean_fixes_reproducible: number | null;
  outcomes: OutcomeCount[];
  runs: number;
  /**
   * Wall-clock time of a run.
   */
  seconds: Spread | null;
  sessions: number;
  similarity_to_original: SimilarityCount[];
  /**
   * Of every run's notebook that a fix changed to the one of the run before.
   */
  similarity_to_previous: Spread | null;
  transitions: Transition[];
  usage: Usage;
}
/**
 * How similar notebooks still are to the original after this many fixes.
 */
export interface SimilarityCount {
  fixes: number;
  similarity: Spread;
}
/**
 * How often fixes of one kind led from one state to another.
 */
export interface Transition {
  after: State;
  before: State;
  fix_type: FixType;
  fixer: FixerName;
  fixes: number;
  scope: FixScope;
}
/**
 * Answer of `GET /sessions/{id}?since=n`: what changed since event `n`.
 */
export interface SessionUpdate {
  /**
   * Its fields that changed, but for the iterations.
   */
  changed: {
    [k: string]: JsonValue;
  };
  id: string;
  /**
   * Those that changed or are new, whole; by their numbers they take the places of the old.
   */
  iterations: Iteration[];
  /**
   * Number of the session's last event.
   */
  seq: number;
  since: number;
}
/**
 * Body of `POST /papers/page`: a page of a PDF as a picture. Nothing is kept.
 */
export interface ShowPage {
  /**
   * Text to mark on it, such as a number that was read from it.
   */
  mark: string;
  page: number;
  /**
   * The paper's file, as the file browser names it.
   */
  path: string;
}
/**
 * Body of `POST /sessions/{id}/probe`: what do silent changes do, by experiment?
 */
export interface StartProbe {
  notebook: Notebook;
  /**
   * Name of the old libraries, from `ServerInfo`.
   */
  old_python: string;
  /**
   * Id of the one change to try; None tries all.
   */
  rule: string | null;
  traces: Traces;
}
/**
 * Body of `POST /sessions/{id}/runs`: run what the user sees.
 */
export interface StartRun {
  /**
   * Begin with the first cell, also where a run waits that could go on.
   */
  fresh: boolean;
  notebook: Notebook;
}
/**
 * Body of `POST /sessions/{id}/scores`: a score of the latest run, read elsewhere.
 */
export interface TypeScore {
  score: number;
}
/**
 * Body of `POST /sessions/{id}/verify`: run a notebook again, and again.
 */
export interface Verify {
  kind: VerificationKind;
  /**
   * None: that of the best iteration.
   */
  notebook: Notebook | null;
  /**
   * At most so many runs, for a strict one; a quick one is a single run.
   */
  runs: number;
}
/**
 * Body of `POST /sessions/{id}/writing`: a model writes the notebook of a paper.
 */
export interface WriteReproduction {
  notebook: Notebook;
  /**
   * Questions of one stage at most.
   */
  rounds: number;
}
/**
 * What writing a notebook will probably cost.
 */
export interface WritingEstimate {
  /**
   * None where the price of the model is not known.
   */
  cost_usd: Range | null;
  input_tokens: Range;
  model: string;
  output_tokens: Range;
  questions: Range;
  runs: Range;
}
