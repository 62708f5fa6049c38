/**
 * Return a duration in clock format: `1:12`, `2:05:40`.
 *
 * @param seconds - Not negative; fractions are cut off.
 */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const rest = String(whole % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) {
    return `${minutes}:${rest}`;
  }
  const hours = Math.floor(minutes / 60);
  return `${hours}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/**
 * Return a duration as people say it, as the server does: `0.4 s`, `72 s`,
 * `10 min`, `2 min 30 s`, `1 h 30 min`.
 *
 * @param seconds - Not negative.
 */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) {
    return `${Number(seconds.toPrecision(2))} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 120) {
    return `${whole} s`;
  }
  if (whole < 3600) {
    const rest = whole % 60;
    const minutes = `${Math.floor(whole / 60)} min`;
    return rest > 0 ? `${minutes} ${rest} s` : minutes;
  }
  const minutes = Math.floor(whole / 60) % 60;
  const hours = `${Math.floor(whole / 3600)} h`;
  return minutes > 0 ? `${hours} ${minutes} min` : hours;
}

/** Return a score with five significant digits. */
export function formatScore(score: number): string {
  if (score === 0) {
    return '0';
  }
  const size = Math.abs(score);
  if (size >= 1e6 || size < 1e-4) {
    return score.toExponential(3);
  }
  return String(Number(score.toPrecision(5)));
}

/** Return a share in percent: `3.1 %`; a tiny share is not rounded to zero. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.01) {
    return '<\u00a00.01\u00a0%';
  }
  const digits = percent !== 0 && Math.abs(percent) < 0.1 ? 2 : 1;
  return `${Number(percent.toFixed(digits))} %`;
}

/** Return a number of tokens as text: `950`, `18.2k`, `1.4M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) {
    return String(tokens);
  }
  if (tokens < 1e6) {
    return `${Number((tokens / 1000).toFixed(1))}k`;
  }
  return `${Number((tokens / 1e6).toFixed(2))}M`;
}

/** Return an amount in US dollars as text, small ones with more digits. */
export function formatCost(usd: number): string {
  if (usd === 0) {
    return '$0';
  }
  if (usd < 0.001) {
    return '< $0.001';
  }
  return `$${usd.toFixed(usd < 0.1 ? 3 : 2)}`;
}
