import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Grade, Session } from '../../api/types';
import { formatPercent, formatScore } from '../../words/numbers';
import { currentGrade, gradedRuns } from '../../session/reading';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import { type IGauge, type IGaugePoint, layOut } from './gauge';
import { ScoreFacts } from './ScoreFacts';
import { messagesText } from '../../words/message';

/** Width before the figure is measured. */
const WIDTH = 320;
const MAX_WIDTH = 560;
const MARGIN = 14;
const AXIS = 62;
const STEP = 15;
const RADIUS = 7;

/** Properties of the gauge. */
export interface IScoreGaugeProps {
  /** The session with the scores. */
  session: Session;
}

/**
 * Target, band, the sample submission's score and every iteration's score on one scale, and in words.
 */
export function ScoreGauge({ session }: IScoreGaugeProps): JSX.Element | null {
  const trans = useTrans();
  const [figure, width] = useWidth();
  const gauge = layOut(session);
  const grade = currentGrade(session);
  if (!gauge) {
    return grade ? (
      <>
        {grade.reason.length > 0 && (
          <p className="jp-mle-Hint">{messagesText(grade.reason, trans)}</p>
        )}
        <ScoreFacts grade={grade} />
      </>
    ) : null;
  }
  return (
    <figure className="jp-mle-Gauge" ref={figure}>
      {/* A single score needs no scale. */}
      {(gauge.target || gauge.points.length > 1) && (
        <GaugeImage
          gauge={gauge}
          width={width}
          label={describe(gauge, trans)}
          higherIsBetter={directionOf(session)}
        />
      )}
      <figcaption className="jp-mle-Gauge-caption">
        <Verdict grade={grade} />
      </figcaption>
      {grade && <ScoreFacts grade={grade} />}
    </figure>
  );
}

/**
 * The picture only: scores of a session's iterations against target and band.
 *
 * @param props.label - Text alternative.
 */
export function GaugePicture(props: {
  session: Session;
  label: string;
}): JSX.Element | null {
  const [figure, width] = useWidth();
  const gauge = layOut(props.session);
  return gauge ? (
    <figure className="jp-mle-Gauge" ref={figure}>
      <GaugeImage
        gauge={gauge}
        width={width}
        label={props.label}
        higherIsBetter={directionOf(props.session)}
      />
    </figure>
  ) : null;
}

function Verdict({ grade }: { grade: Grade | null }): JSX.Element | null {
  const trans = useTrans();
  if (!grade) {
    return null;
  }
  if (grade.score === null) {
    return (
      <span>
        {messagesText(grade.reason, trans) ||
          trans.__('This run has no score.')}
      </span>
    );
  }
  const score = formatScore(grade.score);
  if (grade.target === null || grade.deviation === null) {
    return <span>{trans.__('Score %1', score)}</span>;
  }
  const target = formatScore(grade.target);
  const deviation = grade.deviation_is_absolute
    ? formatScore(grade.deviation)
    : formatPercent(grade.deviation);
  return (
    <>
      <span>
        <strong>{score}</strong>{' '}
        {trans.__('is %1 off the target %2', deviation, target)}
      </span>
      {grade.doubt ? (
        <Chip tone="fair">{trans.__('not judged yet')}</Chip>
      ) : grade.within_threshold ? (
        <Chip tone="good">{trans.__('inside the band')}</Chip>
      ) : grade.better_than_target ? (
        <Chip tone="good">{trans.__('better than the band')}</Chip>
      ) : (
        <Chip tone="bad">{trans.__('outside the band')}</Chip>
      )}
    </>
  );
}

/** Properties of the picture. */
interface IGaugeImageProps {
  /** The contents of the picture. */
  gauge: IGauge;
  /** Width in pixels. */
  width: number;
  /** Text alternative. */
  label: string;
  /** The better direction; null if unknown. */
  higherIsBetter: boolean | null;
}

function GaugeImage(props: IGaugeImageProps): JSX.Element {
  const trans = useTrans();
  const { gauge, higherIsBetter, width } = props;
  const toX = (share: number) => MARGIN + share * (width - 2 * MARGIN);
  const { target, baseline } = gauge;
  const levels = Math.max(0, ...gauge.points.map(point => point.level));
  const top = Math.max(0, (levels - 2) * STEP);
  const height = AXIS + 30 + top;
  const axis = AXIS + top;
  return (
    <svg
      className="jp-mle-Gauge-image"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={props.label}
    >
      {target && (
        <>
          <rect
            className="jp-mle-Gauge-band"
            x={toX(target.from)}
            y={16}
            width={toX(target.to) - toX(target.from)}
            height={axis - 16}
            rx={3}
          />
          <line
            className="jp-mle-Gauge-target"
            x1={toX(target.x)}
            x2={toX(target.x)}
            y1={13}
            y2={axis + 4}
          />
          <text
            className="jp-mle-Gauge-label"
            x={toX(target.x)}
            y={9}
            textAnchor={anchor(target.x)}
          >
            {trans.__('target %1', formatScore(target.score))}
          </text>
        </>
      )}
      <line
        className="jp-mle-Gauge-axis"
        x1={MARGIN / 2}
        x2={width - MARGIN / 2}
        y1={axis}
        y2={axis}
      />
      {baseline && (
        <>
          <path
            className="jp-mle-Gauge-baseline"
            d={diamond(toX(baseline.x), axis)}
          />
          <text
            className="jp-mle-Gauge-tick"
            x={toX(baseline.x)}
            y={axis + 18}
            textAnchor={anchor(baseline.x)}
          >
            {baselineText(baseline, trans)}
          </text>
        </>
      )}
      {gauge.points.map(point => (
        <Point key={point.number} point={point} x={toX(point.x)} axis={axis} />
      ))}
      {higherIsBetter !== null && (
        <text
          className="jp-mle-Gauge-tick"
          x={higherIsBetter ? width - 2 : 2}
          y={axis + 28}
          textAnchor={higherIsBetter ? 'end' : 'start'}
        >
          {higherIsBetter ? trans.__('better →') : trans.__('← better')}
        </text>
      )}
    </svg>
  );
}

function Point(props: {
  point: IGaugePoint;
  x: number;
  axis: number;
}): JSX.Element {
  const { axis, point, x } = props;
  const classes = ['jp-mle-Gauge-point'];
  if (point.isInside) {
    classes.push('jp-mod-inside');
  }
  if (point.isCurrent) {
    classes.push('jp-mod-current');
  }
  const y = axis - RADIUS - 3 - point.level * STEP;
  return (
    <g className={classes.join(' ')}>
      {point.overflow !== 0 && (
        <path
          d={`M${x + point.overflow * 9} ${y - 4}l${point.overflow * 5} 4l${-point.overflow * 5} 4z`}
        />
      )}
      <circle cx={x} cy={y} r={RADIUS} />
      <text x={x} y={y + 3} textAnchor="middle">
        {point.number}
      </text>
    </g>
  );
}

function baselineText(
  baseline: NonNullable<IGauge['baseline']>,
  trans: TranslationBundle
): string {
  const score = formatScore(baseline.score);
  switch (baseline.overflow) {
    case -1:
      return trans.__('‹ sample submission %1', score);
    case 0:
      return trans.__('sample submission %1', score);
    case 1:
      return trans.__('sample submission %1 ›', score);
  }
}

/** Return the text alternative of the gauge. */
function describe(gauge: IGauge, trans: TranslationBundle): string {
  const parts = gauge.points.map(point =>
    point.isInside
      ? trans.__(
          'iteration %1 scored %2, inside the band',
          point.number,
          formatScore(point.score)
        )
      : trans.__(
          'iteration %1 scored %2',
          point.number,
          formatScore(point.score)
        )
  );
  if (gauge.target) {
    parts.unshift(trans.__('target %1', formatScore(gauge.target.score)));
  }
  if (gauge.baseline) {
    parts.push(
      trans.__('sample submission %1', formatScore(gauge.baseline.score))
    );
  }
  return trans.__('Scores: %1', parts.join('; '));
}

function directionOf(session: Session): boolean | null {
  const graded = gradedRuns(session)
    .reverse()
    .find(({ grade }) => grade !== null && grade.metric !== null);
  return graded?.grade?.higher_is_better ?? null;
}

/**
 * Return the width of a figure in pixels: the picture is drawn for it, so that
 * its text has a constant size.
 */
function useWidth(): [React.RefObject<HTMLElement>, number] {
  const figure = React.useRef<HTMLElement>(null);
  const [width, setWidth] = React.useState(WIDTH);
  React.useEffect(() => {
    if (!figure.current || typeof ResizeObserver === 'undefined') {
      return;
    }
    const observer = new ResizeObserver(entries => {
      const measured = Math.floor(entries[0].contentRect.width);
      if (measured > 0) {
        setWidth(Math.min(measured, MAX_WIDTH));
      }
    });
    observer.observe(figure.current);
    return () => observer.disconnect();
  }, []);
  return [figure, width];
}

function anchor(share: number): 'start' | 'middle' | 'end' {
  return share < 0.2 ? 'start' : share > 0.8 ? 'end' : 'middle';
}

function diamond(x: number, y: number): string {
  return `M${x} ${y - 6}l6 6l-6 6l-6 -6z`;
}
