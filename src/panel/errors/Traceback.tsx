import Anser, { type AnserJsonEntry } from 'anser';
import * as React from 'react';

/** The sixteen colours every theme of JupyterLab has. */
const NAMED =
  /^ansi-(bright-)?(black|red|green|yellow|blue|magenta|cyan|white)$/;

/** The palette of 256 colours behind the sixteen named ones. */
const PALETTE = /^ansi-palette-(\d+)$/;

/** Properties of a traceback. */
export interface ITracebackProps {
  /** Lines as the kernel sent them, with ANSI colours. */
  lines: readonly string[];
}

/**
 * A traceback in its colours. Its text is untrusted and is never parsed as
 * HTML.
 */
export function Traceback(props: ITracebackProps): JSX.Element {
  // The lines are a new array with every state of the session, mostly with
  // equal contents.
  const text = props.lines.join('\n');
  const parts = React.useMemo(
    () =>
      readAnsi(
        text
          .split('\n')
          .filter(line => !isRule(line))
          .join('\n')
      ),
    [text]
  );
  return (
    <pre className="jp-mle-Traceback" tabIndex={0}>
      {parts.map((part, index) => (
        <span key={index} className={part.className} style={part.style}>
          {part.text}
        </span>
      ))}
    </pre>
  );
}

/**
 * Return whether a line is only the rule that IPython draws: too wide for a
 * panel, and without information.
 */
function isRule(line: string): boolean {
  return /^-{20,}$/.test(Anser.ansiToText(line).trim());
}

/**
 * A stretch of text with its look.
 */
export interface IAnsiPart {
  /** The text, without control characters. */
  text: string;
  /** Classes of named colours and decorations. */
  className?: string;
  /** Other colours, mixed with the theme's own so that they can be read on any ground. */
  style?: React.CSSProperties;
}

/** Split a text at its ANSI escapes. */
export function readAnsi(text: string): IAnsiPart[] {
  return Anser.ansiToJson(text, {
    json: true,
    remove_empty: true,
    use_classes: true
  }).map(toPart);
}

function toPart(entry: AnserJsonEntry): IAnsiPart {
  const classes: string[] = [];
  const style: React.CSSProperties = {};
  const named = NAMED.exec(entry.fg ?? '');
  if (named) {
    classes.push(`jp-mle-Ansi-${named[2]}`);
  } else {
    const rgb = toRgb(entry.fg, entry.fg_truecolor);
    if (rgb) {
      style.color = `color-mix(in srgb, rgb(${rgb}) 62%, var(--jp-ui-font-color0))`;
    }
  }
  if (entry.bg) {
    classes.push('jp-mle-Ansi-marked');
  }
  for (const decoration of entry.decorations ?? []) {
    classes.push(`jp-mle-Ansi-${decoration}`);
  }
  return {
    // Control characters that are no escape are no text either; tab and line break stay.
    text: entry.content.replace(/[^\P{Cc}\t\n]/gu, ''),
    className: classes.length > 0 ? classes.join(' ') : undefined,
    style: style.color ? style : undefined
  };
}

function toRgb(color: string | null, truecolor: string | null): string | null {
  if (truecolor && /^[\d, ]+$/.test(truecolor)) {
    return truecolor;
  }
  const match = PALETTE.exec(color ?? '');
  return match ? paletteColor(Number(match[1])) : null;
}

/**
 * Return a colour of the palette: a cube of 6 × 6 × 6 from 16 on, 24 greys from
 * 232 on.
 */
function paletteColor(index: number): string | null {
  if (index >= 232 && index <= 255) {
    const grey = (index - 232) * 10 + 8;
    return `${grey}, ${grey}, ${grey}`;
  }
  if (index < 16 || index > 255) {
    return null;
  }
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6]
    .map(step => steps[step])
    .join(', ');
}
