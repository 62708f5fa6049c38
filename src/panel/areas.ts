import type { ILabShell, JupyterFrontEnd } from '@jupyterlab/application';
import { SplitPanel, type Widget } from '@lumino/widgets';

/** Maximum share of the window that the panel takes. */
const MOST = 0.4;

/** Pixels the notebook needs; if it has less, the left area is folded. */
const LEAST_MAIN = 480;

/** The application's areas. */
export type Shell = JupyterFrontEnd.IShell | ILabShell;

/** The areas of the application beside each other, and the one of a widget. */
interface IAreas {
  split: SplitPanel;
  /** Index of the widget's area. */
  index: number;
  /** Pixels of all areas that are not hidden. */
  space: number;
}

function areasOf(widget: Widget): IAreas | null {
  let area = widget;
  let split = widget.parent;
  while (
    split &&
    !(split instanceof SplitPanel && split.orientation === 'horizontal')
  ) {
    area = split;
    split = split.parent;
  }
  if (!(split instanceof SplitPanel)) {
    return null;
  }
  const space = split.widgets.reduce(
    (sum, { isHidden, node }) => sum + (isHidden ? 0 : node.offsetWidth),
    0
  );
  return { split, index: split.widgets.indexOf(area), space };
}

/**
 * Widen the area of the application that a widget is in, at the cost of the
 * widest other area.
 */
export function widen(widget: Widget, pixels: number): void {
  const areas = areasOf(widget);
  if (areas) {
    const wanted = Math.min(pixels, window.innerWidth * MOST);
    resize(areas, Math.max(0, wanted - widget.node.offsetWidth));
  }
}

/** Narrow the widget's area to its maximum share of the window. */
export function narrow(widget: Widget): void {
  const areas = areasOf(widget);
  if (areas) {
    const most = Math.floor(window.innerWidth * MOST);
    resize(areas, Math.min(0, most - widget.node.offsetWidth));
  }
}

/** Fold the left area if the notebook has too little room beside a widget. */
export function makeRoom(widget: Widget, shell: Shell): void {
  if (mainWidth(widget) < LEAST_MAIN && 'collapseLeft' in shell) {
    shell.collapseLeft();
  }
}

/** Give an area more pixels, or fewer, at the cost of the widest other one. */
function resize({ index, space, split }: IAreas, pixels: number): void {
  const sizes = split.relativeSizes();
  const others = sizes.map((size, at) => (at === index ? -1 : size));
  const widest = others.indexOf(Math.max(...others));
  const share = pixels / space;
  if (share !== 0 && Number.isFinite(share) && widest >= 0) {
    sizes[index] += share;
    sizes[widest] -= share;
    split.setRelativeSizes(sizes);
  }
}

/** Return the pixels of the widest area beside the widget's. */
function mainWidth(widget: Widget): number {
  const areas = areasOf(widget);
  const widths = areas?.split.widgets.map(({ isHidden, node }, at) =>
    isHidden || at === areas.index ? 0 : node.offsetWidth
  );
  return widths ? Math.max(...widths) : Infinity;
}
