import type { Session } from '../../api/types';
import { gradedRuns } from '../../session/reading';

/**
 * A score on the gauge.
 */
export interface IGaugePoint {
  /** Number of the iteration. */
  number: number;
  /** The score itself. */
  score: number;
  /** Position from left to right, 0 to 1. */
  x: number;
  /** Number of points at nearly the same position below it. */
  level: number;
  /** -1 or 1 if the score is off the scale to that side. */
  overflow: -1 | 0 | 1;
  /** Whether it is within the target's band. */
  isInside: boolean;
  /** Whether it is the latest. */
  isCurrent: boolean;
}

/** Contents of the gauge; positions run from 0 to 1. */
export interface IGauge {
  /** Ends of the scale, as scores. */
  ends: [number, number];
  /** The target, its position and its band. */
  target: { score: number; x: number; from: number; to: number } | null;
  /**
   * The score of the sample submission; null if no target makes it meaningful.
   */
  baseline: { score: number; x: number; overflow: -1 | 0 | 1 } | null;
  /** One for each iteration that has a score. */
  points: IGaugePoint[];
}

/** Maximum reach of the scale to each side of the target, in half bands. */
const REACH = 6;

/** Points nearer to each other than this lie above each other. */
const NEAR = 0.045;

/** Place the scores of a session on a scale; return null while there are none. */
export function layOut(session: Session): IGauge | null {
  const graded = gradedRuns(session).flatMap(({ number, grade }) =>
    grade?.score === null || grade?.score === undefined
      ? []
      : [{ number, score: grade.score, isInside: grade.within_threshold }]
  );
  const { target_score: target, threshold } = session.settings;
  const baseline = target === null ? null : lastBaseline(session);
  if (graded.length === 0 && target === null) {
    return null;
  }
  const half = target === null ? 0 : threshold * unitOf(session, target);
  const scores = graded.map(item => item.score);
  const [low, high] = scaleOf(scores, target, half, baseline);
  const place = (score: number) => (score - low) / (high - low);
  const clip = (x: number) => Math.min(1, Math.max(0, x));
  const overflow = (x: number): -1 | 0 | 1 => (x < 0 ? -1 : x > 1 ? 1 : 0);
  const levels: number[] = [];
  return {
    ends: [low, high],
    target:
      target === null
        ? null
        : {
            score: target,
            x: place(target),
            from: clip(place(target - half)),
            to: clip(place(target + half))
          },
    baseline:
      baseline === null
        ? null
        : {
            score: baseline,
            x: clip(place(baseline)),
            overflow: overflow(place(baseline))
          },
    points: graded.map((item, index) => {
      const x = clip(place(item.score));
      const level = levels.filter(other => Math.abs(other - x) < NEAR).length;
      levels.push(x);
      return {
        ...item,
        x,
        level,
        overflow: overflow(place(item.score)),
        isCurrent: index === graded.length - 1
      };
    })
  };
}

/**
 * Return the unit of the threshold: the target, or its distance above the
 * floor.
 */
function unitOf(session: Session, target: number): number {
  const grade = gradedRuns(session)
    .reverse()
    .find(({ grade }) => grade)?.grade;
  if (grade?.measure === 'floor' && grade.floor !== null) {
    return Math.abs(target - grade.floor);
  }
  return Math.abs(target) || 1;
}

function lastBaseline(session: Session): number | null {
  for (const { grade } of gradedRuns(session).reverse()) {
    if (grade && grade.baseline !== null) {
      return grade.baseline;
    }
  }
  return null;
}

/**
 * Return the ends of the scale: the whole band, and the scores not too far from
 * it.
 */
function scaleOf(
  scores: readonly number[],
  target: number | null,
  half: number,
  baseline: number | null
): [number, number] {
  const wanted = baseline === null ? [...scores] : [...scores, baseline];
  let low: number;
  let high: number;
  if (target === null) {
    low = Math.min(...scores);
    high = Math.max(...scores);
  } else {
    const near = wanted.filter(
      score => Math.abs(score - target) <= REACH * half
    );
    low = Math.min(target - half, ...near);
    high = Math.max(target + half, ...near);
  }
  const pad = (high - low || Math.abs(high) || 1) * 0.12;
  return [low - pad, high + pad];
}
